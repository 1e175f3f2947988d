//! 256 bits at once, as 32 bytes or four words: by vector instructions where the program is compiled for them (AVX2), and word by word elsewhere.

use std::ops::{BitAnd, BitOr, BitXor};

/// The bits. Names of operations say what they take them for; the first byte is the lowest of the first word.
#[derive(Debug, Clone, Copy)]
pub struct Vector(Bits);

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
type Bits = safe_arch::m256i;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
type Bits = [u64; 4];

/// `operations!(name = instruction, words or bytes, what it does with each two)`
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $fast:ident, $each:ident, $plain:expr;)+) => {
        impl Vector {
            $($(#[$doc])*
            #[inline(always)]
            #[must_use]
            pub fn $name(self, other: Self) -> Self {
                #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
                return Self(safe_arch::$fast(self.0, other.0));
                #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
                $each(self, other, $plain)
            })+
        }

        #[cfg(test)]
        const PAIRS: &[(fn(Vector, Vector) -> Vector, fn(Vector, Vector) -> Vector)] =
            &[$((Vector::$name, |one, other| $each(one, other, $plain))),+];
    };
}

operations! {
    /// The bits of both.
    and = bitand_m256i, words, |one, other| one & other;
    /// The bits of either.
    or = bitor_m256i, words, |one, other| one | other;
    /// The bits of one of them only.
    xor = bitxor_m256i, words, |one, other| one ^ other;
    /// The bits of the other one that are not in this.
    outside = bitandnot_m256i, words, |one, other| !one & other;
    /// All ones in every byte that is equal in both.
    equal_bytes = cmp_eq_mask_i8_m256i, bytes, |one, other| u8::from(one == other).wrapping_neg();
    /// The sums of bytes, wrapping.
    add_bytes = add_i8_m256i, bytes, u8::wrapping_add;
    /// The differences of bytes, wrapping.
    sub_bytes = sub_i8_m256i, bytes, u8::wrapping_sub;
    /// The larger of every two bytes.
    max_bytes = max_u8_m256i, bytes, u8::max;
    /// The sums of words, wrapping.
    add_words = add_i64_m256i, words, u64::wrapping_add;
    /// The smaller of every two halves of words.
    min_halves = min_u32_m256i, words, |one, other| {
        let upper = (one >> 32).min(other >> 32);
        upper << 32 | (one & 0xffff_ffff).min(other & 0xffff_ffff)
    };
    /// The products of the lower halves of words.
    mul_halves = mul_u64_low_bits_m256i, words, |one, other| (one & 0xffff_ffff) * (other & 0xffff_ffff);
    /// All ones in every word that is larger, with a sign, than the other's.
    larger_words = cmp_gt_mask_i64_m256i, words, |one, other| u64::from(one as i64 > other as i64).wrapping_neg();
    /// Words moved up by as many bits as the other's say, at most 63.
    shift_up = shl_each_u64_m256i, words, |one, other| one << other;
    /// Words moved down by as many bits as the other's say, at most 63.
    shift_down = shr_each_u64_m256i, words, |one, other| one >> other;
}

impl Vector {
    /// This byte everywhere.
    #[inline(always)]
    #[must_use]
    pub fn of_byte(byte: u8) -> Self {
        Self::from([byte; 32])
    }

    /// This word everywhere.
    #[inline(always)]
    #[must_use]
    pub fn of_word(word: u64) -> Self {
        Self::from([word; 4])
    }

    /// The words rotated towards the higher bits.
    #[inline(always)]
    #[must_use]
    pub fn rotated(self, bits: u64) -> Self {
        let (up, down) = (Self::of_word(bits), Self::of_word(64 - bits));
        self.shift_up(up) | self.shift_down(down)
    }

    /// The other one's bytes where those of the mask are 255, and not 0.
    #[inline(always)]
    #[must_use]
    pub fn or_where(self, mask: Self, other: Self) -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        return Self(safe_arch::blend_varying_i8_m256i(self.0, other.0, mask.0));
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        return mask.outside(self) | (mask & other);
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn words(one: Vector, other: Vector, each: impl Fn(u64, u64) -> u64) -> Vector {
    let (one, other): ([u64; 4], [u64; 4]) = (one.into(), other.into());
    Vector::from(std::array::from_fn::<_, 4, _>(|w| each(one[w], other[w])))
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn bytes(one: Vector, other: Vector, each: impl Fn(u8, u8) -> u8) -> Vector {
    let (one, other): ([u8; 32], [u8; 32]) = (one.into(), other.into());
    Vector::from(std::array::from_fn::<_, 32, _>(|b| each(one[b], other[b])))
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod conversions {
    use super::Vector;

    impl From<[u64; 4]> for Vector {
        #[inline(always)]
        fn from(words: [u64; 4]) -> Self {
            Self(words.into())
        }
    }

    impl From<Vector> for [u64; 4] {
        #[inline(always)]
        fn from(Vector(bits): Vector) -> Self {
            bits.into()
        }
    }

    impl From<[u8; 32]> for Vector {
        #[inline(always)]
        fn from(bytes: [u8; 32]) -> Self {
            Self(bytes.into())
        }
    }

    impl From<Vector> for [u8; 32] {
        #[inline(always)]
        fn from(Vector(bits): Vector) -> Self {
            bits.into()
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
mod conversions {
    use super::Vector;

    impl From<[u64; 4]> for Vector {
        fn from(words: [u64; 4]) -> Self {
            Self(words)
        }
    }

    impl From<Vector> for [u64; 4] {
        fn from(Vector(words): Vector) -> Self {
            words
        }
    }

    impl From<[u8; 32]> for Vector {
        fn from(bytes: [u8; 32]) -> Self {
            let word = |w: usize| bytes[8 * w..8 * w + 8].try_into().expect("eight bytes");
            Self([0, 1, 2, 3].map(|w| u64::from_le_bytes(word(w))))
        }
    }

    impl From<Vector> for [u8; 32] {
        fn from(Vector(words): Vector) -> Self {
            std::array::from_fn(|byte| words[byte / 8].to_le_bytes()[byte % 8])
        }
    }
}

impl Default for Vector {
    #[inline(always)]
    fn default() -> Self {
        Self::from([0_u64; 4])
    }
}

impl BitAnd for Vector {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.and(other)
    }
}

impl BitOr for Vector {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl BitXor for Vector {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.xor(other)
    }
}

#[cfg(test)]
mod tests {
    use rand_core::Rng;

    use super::*;
    use crate::stream;

    #[test]
    fn instructions_do_what_is_written_word_by_word() {
        let mut rng = stream(1, &[]);
        for (fast, plain) in PAIRS {
            for _ in 0..1000 {
                let [mut one, mut other] = [[0; 4]; 2];
                one.fill_with(|| rng.next_u64());
                // Numbers of bits to shift by, and bytes that are equal now and then.
                other.fill_with(|| rng.next_u64() & 63);
                one[0] = one[0] & !255 | other[0];
                let sides = [fast, plain].map(|side| side(one.into(), other.into()));
                let [fast, plain] = sides.map(<[u64; 4]>::from);
                assert_eq!(fast, plain);
            }
        }
    }
}
