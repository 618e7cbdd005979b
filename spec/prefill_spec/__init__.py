"""What must hold of a prefill planner: vocabulary, calls, properties, run theorems.

Nothing here knows a solver. The statements use plain operators and the connectives of
``vocabulary``, so they run on Python ints in a test and on symbolic terms in a proof.
"""
