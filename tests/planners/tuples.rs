//! Tuples, nested ones, their fields and patterns, and a tuple as a helper's answer.

type Span = (usize, usize);

fn bounds(offset: usize, proposed: usize) -> Span {
    (offset, offset + proposed)
}

fn narrowed(span: Span, at: (usize, bool)) -> Span {
    let (start, end) = span;
    let ((low, high), (at, is_there)) = ((start, end), at);
    if is_there && low < at && at < high { (low, at) } else { span }
}

pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: Option<usize>,
    split: Option<usize>,
) -> usize {
    let span = bounds(offset, proposed);
    if span.1 >= total {
        return proposed;
    }
    let boundary = match block_size {
        Some(size) if size > 0 => (span.1 / size * size, true),
        _ => (0, false),
    };
    let span = narrowed(span, boundary);
    let (.., end) = narrowed(span, split.map_or((0, false), |at| (at, true)));
    let pair = (end - span.0, 4);
    if (pair.0 < pair.1, true) == (true, true) { pair.0 } else { pair.0 / pair.1 * pair.1 }
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    let ends = match (total, block_size) {
        (_, 0) => return false,
        (0, _) => (0, None),
        (total, size) => {
            let last = (total - 1) / size * size;
            (last, if last >= size { Some(last - size) } else { None })
        }
    };
    ends.0 == end_token || ends.1 == Some(end_token)
}
