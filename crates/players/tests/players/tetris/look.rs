//! Look-ahead: pairs as specified, beams, lost positions, and what is refused.
