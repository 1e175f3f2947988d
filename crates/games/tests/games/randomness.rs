//! Chance by its distribution. Every test here has fixed seeds; the error rate says how rarely a right
//! implementation would have failed when the seed was chosen.

use std::collections::HashMap;

use games::{Game, Turn, below, stream, with_game};

use crate::{all_games, game};

/// Pearson's statistic of counts against probabilities, in standard deviations above its mean.
fn excess(counts: &[(u64, f64)]) -> f64 {
    let n: u64 = counts.iter().map(|&(count, _)| count).sum();
    let statistic: f64 = counts
        .iter()
        .map(|&(count, probability)| {
            let expected = probability * n as f64;
            (count as f64 - expected).powi(2) / expected
        })
        .sum();
    let freedom = (counts.len() - 1).max(1) as f64;
    (statistic - freedom) / (2.0 * freedom).sqrt()
}

/// Error rate: below 1 in 10,000 a game (5 standard deviations of a skewed distribution), 30 games.
#[test]
fn what_is_drawn_has_the_probabilities_of_the_chances() {
    fn check<G: Game>(name: &str, game: &G) {
        let mut position = game.start();
        if game.turn(&position) != Turn::Chance {
            return;
        }
        game.draw(&mut position, &mut stream(1, &[]));
        while let Turn::Player(_) = game.turn(&position) {
            let chosen = game.random_move(&position, &mut stream(2, &[]));
            game.play_unchecked(&mut position, chosen);
        }
        let mut chances = Vec::new();
        game.chances(&position, &mut chances);
        let mut counts: HashMap<String, u64> = HashMap::new();
        let mut rng = stream(3, &[]);
        for _ in 0..20_000 {
            let drawn = game.draw(&mut position.clone(), &mut rng);
            *counts.entry(drawn.to_string()).or_default() += 1;
        }
        let table: Vec<(u64, f64)> = chances
            .iter()
            .map(|(chance, probability)| {
                (
                    counts.get(&chance.to_string()).copied().unwrap_or(0),
                    *probability,
                )
            })
            .collect();
        assert!(excess(&table) < 5.0, "{name}: {table:?}");
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

/// Error rate: below 1 in 10,000 a game, 30 games.
#[test]
fn random_moves_are_uniform_over_the_legal_ones() {
    fn check<G: Game>(name: &str, game: &G) {
        let mut rng = stream(4, &[]);
        let mut position = game.start();
        let mut moves = Vec::new();
        for _ in 0..12 {
            match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    game.draw(&mut position, &mut rng);
                }
                Turn::Player(_) => {
                    let chosen = game.random_move(&position, &mut rng);
                    game.play_unchecked(&mut position, chosen);
                }
            }
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                continue;
            }
            let mut counts: HashMap<String, u64> = HashMap::new();
            for _ in 0..3_000 {
                *counts
                    .entry(game.random_move(&position, &mut rng).to_string())
                    .or_default() += 1;
            }
            let share = 1.0 / moves.len() as f64;
            let table: Vec<(u64, f64)> = moves
                .iter()
                .map(|chosen| (counts.get(&chosen.to_string()).copied().unwrap_or(0), share))
                .collect();
            assert_eq!(
                table.iter().map(|(count, _)| count).sum::<u64>(),
                3_000,
                "{name}: an illegal move"
            );
            assert!(excess(&table) < 6.0, "{name}: {table:?} in {position}");
        }
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

/// Error rate: 1 in 370 (3 standard errors). The work's figure is a mean over 100,000 games, too,
/// so the difference has the standard error of both.
#[test]
fn random_play_of_2048_has_the_published_mean() {
    let any = game("2048", "");
    let games = 100_000;
    let scores: Vec<f64> = (0..games)
        .map(|number| {
            with_game!(&any, game => {
                let mut position = game.start();
                game.playout(&mut position, &mut stream(1, &[number]));
                game.score(&position) as f64
            })
        })
        .collect();
    let mean = scores.iter().sum::<f64>() / games as f64;
    let variance = scores
        .iter()
        .map(|score| (score - mean).powi(2))
        .sum::<f64>()
        / games as f64;
    let standard_error = (variance / games as f64).sqrt();
    assert!(
        (mean - 1095.25).abs() < 3.0 * standard_error,
        "{mean} +- {standard_error}"
    );
}

#[test]
fn different_numbers_give_different_streams() {
    use rand_core::Rng;
    let mut seen = std::collections::HashSet::new();
    for (seed, game) in (0..100).flat_map(|seed| (0..100).map(move |game| (seed, game))) {
        assert!(
            seen.insert(stream(seed, &[game]).next_u64()),
            "{seed} {game}"
        );
    }
    assert_ne!(stream(1, &[2, 3]), stream(1, &[3, 2]));
}

/// Error rate: below 1 in 10,000.
#[test]
fn below_is_uniform() {
    let mut rng = stream(9, &[]);
    let mut counts = [0; 13];
    (0..130_000).for_each(|_| counts[below(&mut rng, 13) as usize] += 1);
    assert!(
        excess(&counts.map(|count| (count, 1.0 / 13.0))) < 5.0,
        "{counts:?}"
    );
}

/// Every game of S and Z pieces ends (Burgiel 1997): no player can hold out for ever.
#[test]
fn tetris_with_s_and_z_alone_always_ends() {
    let any = game("tetris", "shapes=SZ known=1");
    for number in 0..2_000 {
        with_game!(&any, game => {
            let mut position = game.start();
            game.playout(&mut position, &mut stream(6, &[number]));
            assert_eq!(game.turn(&position), Turn::Over);
        });
    }
}
