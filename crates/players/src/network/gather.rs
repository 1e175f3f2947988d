//! Bits under a mask, next to each other: the entry of a tuple in one instruction.

/// The bits of the board under the mask, the lowest first.
#[inline]
pub(super) fn gathered(board: u64, mask: u64) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return safe_arch::population_extract_u64(board, mask) as usize;
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    step_by_step(board, mask)
}

/// The same on any machine.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn step_by_step(board: u64, mut mask: u64) -> usize {
    let (mut bits, mut place) = (0, 0);
    while mask != 0 {
        bits |= (board >> mask.trailing_zeros() & 1) << place;
        mask &= mask - 1;
        place += 1;
    }
    bits as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_gather_the_same() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1000 {
            word = word.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(29);
            let mask = word.rotate_left(17) & word.rotate_left(40);
            assert_eq!(gathered(word, mask), step_by_step(word, mask));
        }
        assert_eq!(gathered(0b1011_0100, 0b1111_0000), 0b1011);
    }
}
