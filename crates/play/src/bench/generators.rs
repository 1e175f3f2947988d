//! Generators of random numbers to compare the speed of: those of tetris-ga, beside the one of all games.
//!
//! Only measurements of speed use them. What a game is worth does not depend on the generator, so games always draw from
//! [`streams::Stream`](games::Stream).

use games::{Game, Stream, stream};
use streams::derive;

/// Which generator chance draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generator {
    /// xoshiro256++, that of all games.
    #[default]
    Xoshiro,
    /// Two shift registers (Heuer, Dünweg and Ferrenberg 1997), "R250/521" of tetris-ga.
    R250,
    /// Knuth's subtractive generator as in .NET's System.Random, "FastRandom" of tetris-ga.
    Subtractive,
    /// ChaCha20 (RFC 8439), for the cryptographic one of tetris-ga, which was the system's.
    Chacha,
}

impl Generator {
    /// All of them, by name.
    pub const ALL: [(&'static str, Self); 4] = [
        ("xoshiro", Self::Xoshiro),
        ("r250-521", Self::R250),
        ("subtractive", Self::Subtractive),
        ("chacha20", Self::Chacha),
    ];

    /// Chance of game number `game` under `seed`.
    pub(super) fn chance<G: Game>(self, seed: u64, game: u64) -> Chance<G> {
        let mut drawn = 0;
        let seeds = || {
            drawn += 1;
            derive(seed, &[game, drawn]) as u32
        };
        let numbers = match self {
            Self::Xoshiro => Numbers::Xoshiro(stream(seed, &[game, 0])),
            Self::R250 => Numbers::R250(Box::new(R250::new(seeds))),
            Self::Subtractive => Numbers::Subtractive(Box::new(Subtractive::new(seeds))),
            Self::Chacha => Numbers::Chacha(Chacha::new(seeds)),
        };
        Chance {
            numbers,
            chances: Vec::new(),
        }
    }
}

enum Numbers {
    Xoshiro(Stream),
    R250(Box<R250>),
    Subtractive(Box<Subtractive>),
    Chacha(Chacha),
}

/// Chance with a generator of its own.
pub(super) struct Chance<G: Game> {
    numbers: Numbers,
    chances: Vec<(G::Chance, f64)>,
}

impl<G: Game> Chance<G> {
    /// Lets chance act in a position where it is its turn.
    pub(super) fn draw(&mut self, game: &G, position: &mut G::Position) {
        let number = match &mut self.numbers {
            Numbers::Xoshiro(numbers) => {
                game.draw(position, numbers);
                return;
            }
            Numbers::R250(numbers) => numbers.next(),
            Numbers::Subtractive(numbers) => numbers.next(),
            Numbers::Chacha(numbers) => numbers.next(),
        };
        game.chances(position, &mut self.chances);
        let mut rest = f64::from(number) / 4_294_967_296.0;
        let drawn = self.chances.iter().find(|(_, share)| {
            rest -= share;
            rest < 0.0
        });
        // Rounding may leave a sum of shares just below 1.
        let drawn = drawn.or(self.chances.last());
        if let Some(&(chance, _)) = drawn {
            game.happen(position, chance);
        }
    }
}

/// x(n) = x(n - 103) ^ x(n - 250) and y(n) = y(n - 168) ^ y(n - 521), one against the other.
struct R250 {
    short: [u32; 250],
    long: [u32; 521],
    at: [usize; 2],
}

impl R250 {
    fn new(mut seeds: impl FnMut() -> u32) -> Self {
        let mut numbers = Self {
            short: [0; 250],
            long: [0; 521],
            at: [0; 2],
        };
        numbers.short.fill_with(&mut seeds);
        numbers.long.fill_with(&mut seeds);
        numbers
    }

    fn next(&mut self) -> u32 {
        let [short, long] = self.at;
        let lag = |at: usize, lag: usize, size: usize| {
            if at >= lag { at - lag } else { at + size - lag }
        };
        self.short[short] ^= self.short[lag(short, 103, 250)];
        self.long[long] ^= self.long[lag(long, 168, 521)];
        let number = self.short[short] ^ self.long[long];
        self.at = [(short + 1) % 250, (long + 1) % 521];
        number
    }
}

/// x(n) = x(n - 55) - x(n - 34) modulo 2^31 - 1 (Knuth, The Art of Computer Programming 2, 3.6, as .NET has it).
struct Subtractive {
    numbers: [i32; 55],
    at: usize,
}

impl Subtractive {
    const MODULUS: i32 = i32::MAX;

    fn new(mut seeds: impl FnMut() -> u32) -> Self {
        let mut numbers = [0; 55];
        numbers.fill_with(|| (seeds() >> 1) as i32 % Self::MODULUS);
        Self { numbers, at: 0 }
    }

    /// Its 31 bits, moved up to be as large as those of the others.
    fn next(&mut self) -> u32 {
        let other = if self.at >= 34 {
            self.at - 34
        } else {
            self.at + 21
        };
        let mut number = self.numbers[self.at] - self.numbers[other];
        if number < 0 {
            number += Self::MODULUS;
        }
        self.numbers[self.at] = number;
        self.at = (self.at + 1) % 55;
        (number as u32) << 1
    }
}

/// The key stream of ChaCha20, a block of sixteen words at a time.
struct Chacha {
    state: [u32; 16],
    block: [u32; 16],
    at: usize,
}

impl Chacha {
    /// "expand 32-byte k".
    const WORDS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

    fn new(mut seeds: impl FnMut() -> u32) -> Self {
        let mut state = [0; 16];
        state[..4].copy_from_slice(&Self::WORDS);
        state[4..12].fill_with(&mut seeds);
        Self {
            state,
            block: [0; 16],
            at: 16,
        }
    }

    fn next(&mut self) -> u32 {
        if self.at == 16 {
            self.block = block(&self.state);
            self.state[12] = self.state[12].wrapping_add(1);
            self.at = 0;
        }
        self.at += 1;
        self.block[self.at - 1]
    }
}

/// The block of a state: ten times a round of columns and one of diagonals, added to the state.
fn block(state: &[u32; 16]) -> [u32; 16] {
    let mut words = *state;
    for _ in 0..10 {
        for column in 0..4 {
            quarter(&mut words, [column, column + 4, column + 8, column + 12]);
        }
        for diagonal in 0..4 {
            let place = |row: usize| 4 * row + (diagonal + row) % 4;
            quarter(&mut words, [0, 1, 2, 3].map(place));
        }
    }
    for (word, start) in words.iter_mut().zip(state) {
        *word = word.wrapping_add(*start);
    }
    words
}

fn quarter(words: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (a, b, d, turn) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        words[a] = words[a].wrapping_add(words[b]);
        words[d] = (words[d] ^ words[a]).rotate_left(turn);
    }
}

#[cfg(test)]
mod tests {
    use games::tetris::{Rules, Tetris};

    use super::*;

    #[test]
    fn chacha_has_the_block_of_its_rfc() {
        // RFC 8439, 2.3.2.
        let mut state = [0; 16];
        state[..4].copy_from_slice(&Chacha::WORDS);
        for (place, word) in state[4..12].iter_mut().enumerate() {
            let first = 4 * place as u32;
            *word = u32::from_le_bytes([0, 1, 2, 3].map(|byte| (first + byte) as u8));
        }
        state[12..].copy_from_slice(&[1, 0x0900_0000, 0x4a00_0000, 0]);
        let found = block(&state);
        assert_eq!(
            found[..4],
            [0xe4e7_f110, 0x1559_3bd1, 0x1fdd_0f50, 0xc471_20a3]
        );
        assert_eq!(
            found[12..],
            [0xd19c_12b5, 0xb94e_16de, 0xe883_d0cb, 0x4e3c_50a2]
        );
    }

    /// 70,000 pieces: 10,000 expected of each, standard deviation 93; six of them are an error rate of 6e-8 in all.
    #[test]
    fn all_generators_draw_all_pieces_equally_often() {
        let options = "known=1".parse().expect("an option");
        let game: Tetris<u32> = Tetris::new(Rules::from_options(&options).expect("allowed"));
        for (name, generator) in Generator::ALL {
            let mut chance = generator.chance(1, 0);
            let mut counts = [0; 7];
            for _ in 0..70_000 {
                let mut position = game.start();
                chance.draw(&game, &mut position);
                let piece = position.queue().first().expect("a piece was drawn");
                counts[game.place(piece)] += 1;
            }
            let even = counts.iter().all(|count| (9_440..=10_560).contains(count));
            assert!(even, "{name}: {counts:?}");
        }
    }
}
