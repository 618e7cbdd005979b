"""The review of a ``diff`` as one page that needs nothing else: no script, no network."""

import re

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from prefill_gate import __version__, review
from prefill_gate.plan_scale import comparison, heading, split_note, summary
from prefill_gate.plan_svg import draw
from prefill_proofs.solver import solver_version

_ADDRESS = re.compile(r"(https://[^\s()<>\"',]+[^\s()<>\"',.;:])")


def render(found: review.Review) -> str:
    """Return the page."""
    environment = Environment(
        loader=PackageLoader("prefill_gate", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["linked"] = linked
    if found.traffic is not None:
        from prefill_gate import impact_words, traffic_chart

        environment.globals |= {
            "impact_words": impact_words,
            "draw_chart": lambda impact: Markup(traffic_chart.draw(impact)),
        }
    return environment.get_template("review.html").render(
        review=found,
        report=found.report,
        words=review,
        shown_ids={entry.head.id for entry in found.properties},
        picture_notes=(split_note, summary),
        comparison=comparison,
        heading=heading,
        draw=lambda layouts: Markup(draw(layouts)),
        versions=(__version__, solver_version()),
    )


def linked(words: str) -> Markup:
    """Return words in which every address is a link."""
    # Splitting at a group gives words and addresses in turn.
    parts = _ADDRESS.split(words)
    shown = [
        Markup('<a href="{0}">{1}</a>').format(part, part.removeprefix("https://"))
        if index % 2
        else escape(part)
        for index, part in enumerate(parts)
    ]
    return Markup("").join(shown)
