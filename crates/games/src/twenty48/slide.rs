//! How one line of tiles slides: the rule itself, from which the tables are made.

use arrayvec::ArrayVec;

use super::rules::Variant;

/// The longest line of any board.
pub(super) const LONGEST: usize = 5;

/// The line after its tiles slid towards index 0; exponents, 0 is empty.
pub(super) fn slide(line: &[u8], variant: Variant) -> [u8; LONGEST] {
    let mut stack: ArrayVec<u8, LONGEST> = ArrayVec::new();
    let mut mergeable = false;
    for &tile in line.iter().filter(|&&tile| tile > 0) {
        if mergeable && stack.last() == Some(&tile) {
            merge(&mut stack, variant);
            mergeable = variant == Variant::Fer;
        } else {
            stack.push(tile);
            mergeable = true;
        }
    }
    let mut result = [0; LONGEST];
    result[..stack.len()].copy_from_slice(&stack);
    result
}

/// The arriving tile equals the last one: they become one, which under `fer` may merge again.
fn merge(stack: &mut ArrayVec<u8, LONGEST>, variant: Variant) {
    let place = stack.len() - 1;
    stack[place] += 1;
    while variant == Variant::Fer
        && stack.len() > 1
        && stack[stack.len() - 1] == stack[stack.len() - 2]
    {
        stack.pop();
        let place = stack.len() - 1;
        stack[place] += 1;
    }
}
