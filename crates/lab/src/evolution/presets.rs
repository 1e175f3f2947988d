//! Presets of evolutions: those of the works and our own, each a game with rules, a player, an algorithm, and a fitness.

use evolve::Noise;
use games::Family;
use games::registry::FAMILIES;

/// A preset. Every part can be changed.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// The game.
    pub game: &'static str,
    /// Its rules, as options.
    pub rules: &'static str,
    /// The player whose weights or program are evolved.
    pub player: &'static str,
    /// How weights are encoded as genes.
    pub chromosome: &'static str,
    /// Real genes start between minus this and this.
    pub initial: f64,
    /// The algorithm, or the genetic algorithm of one of the works.
    pub algorithm: &'static str,
    /// Further settings of the algorithm.
    pub settings: &'static [(&'static str, &'static str)],
    /// Generations after the first.
    pub generations: u32,
    /// Games per candidate.
    pub games: u32,
    /// Games that every generation adds to that.
    pub growth: f64,
    /// The objective to maximise.
    pub objective: &'static str,
    /// Re-evaluation policy.
    pub noise: Noise,
    /// Whether all candidates of a generation play the same games.
    pub common: bool,
    /// Opponents of candidates in a two-player game; if empty, each other.
    pub opponents: &'static [&'static str],
    /// Whether candidates that play each other begin at the start, as in the work, and not in different openings.
    pub from_start: bool,
    /// Number of finalists.
    pub finalists: usize,
}

/// As in 2048-ga.
const GA_2048: Preset = Preset {
    name: "2048-ga",
    about: "2048 without look-ahead: eight weights in bits, by the genetic algorithm that 2048-ga describes",
    game: "2048",
    rules: "",
    player: "eight(reading=as-described)",
    chromosome: "9bit1decimal",
    initial: 1.0,
    algorithm: "2048-ga",
    settings: &[],
    generations: 100,
    games: 20,
    growth: 0.0,
    objective: "score",
    noise: Noise::Keep,
    common: false,
    opponents: &[],
    from_start: false,
    finalists: 1,
};

/// The strongest that a few seconds find.
const LINES_2048: Preset = Preset {
    name: "2048-lines",
    about: "24 weights of rows and columns by CMA-ES, by the logarithm of the score, with more games every generation",
    game: "2048",
    rules: "",
    player: "lines",
    chromosome: "reals",
    initial: 1.0,
    algorithm: "cma-es",
    settings: &[("population", "20")],
    generations: 80,
    games: 60,
    growth: 1.0,
    objective: "log-score",
    noise: Noise::ReEvaluate,
    common: true,
    opponents: &[],
    from_start: false,
    finalists: 10,
};

/// All presets. The first of a game is its default.
pub static PRESETS: &[Preset] = &[
    LINES_2048,
    Preset {
        name: "2048-patches",
        about: "56 weights of rows, columns, squares and blocks, by CMA-ES: slower to find than those of 2048-lines",
        player: "patches",
        settings: &[("population", "24")],
        generations: 450,
        games: 40,
        growth: 0.6,
        ..LINES_2048
    },
    Preset {
        name: "2048",
        about: "the eight weights of 2048-ga as real numbers, by CMA-ES, re-evaluated every generation",
        game: "2048",
        rules: "",
        player: "eight",
        chromosome: "reals",
        initial: 10.0,
        algorithm: "cma-es",
        settings: &[("population", "24")],
        generations: 40,
        games: 20,
        growth: 0.0,
        objective: "score",
        noise: Noise::ReEvaluate,
        common: true,
        opponents: &[],
        from_start: false,
        finalists: 10,
    },
    GA_2048,
    Preset {
        name: "2048-ga-as-published",
        about: "the same as the published program of 2048-ga plays, where the weights have no effect",
        player: "eight(reading=as-published)",
        ..GA_2048
    },
    Preset {
        name: "cgp",
        about: "programs for 2048 with the FER rules, as in test 3 of 2048-cgp",
        game: "2048",
        rules: "rules=fer",
        player: "program(columns=100, rows=1, functions='+,-,*,/')",
        chromosome: "reals",
        initial: 1.0,
        algorithm: "cgp",
        settings: &[],
        generations: 1000,
        games: 3,
        growth: 0.0,
        objective: "score",
        noise: Noise::Fresh,
        common: false,
        opponents: &[],
        from_start: false,
        finalists: 1,
    },
    Preset {
        name: "tetris",
        about: "nine features by CMA-ES on a 10x10 board, one known piece, re-evaluated every generation",
        game: "tetris",
        rules: "board=10x10 known=1",
        player: "weighted(features=dt10)",
        chromosome: "reals",
        initial: 1.0,
        algorithm: "cma-es",
        settings: &[("population", "30")],
        generations: 50,
        games: 8,
        growth: 0.0,
        objective: "lines",
        noise: Noise::ReEvaluate,
        common: true,
        opponents: &[],
        from_start: false,
        finalists: 10,
    },
    Preset {
        name: "tetris-ga",
        about: "five features by the genetic algorithm of tetris-ga, two known pieces, games of at most 1000 pieces",
        game: "tetris",
        rules: "known=2 limit=1000",
        player: "weighted(features=five, look=2)",
        chromosome: "reals",
        initial: 1.0,
        algorithm: "tetris-ga",
        settings: &[],
        generations: 20,
        games: 3,
        growth: 0.0,
        objective: "score",
        noise: Noise::Fresh,
        common: false,
        opponents: &[],
        from_start: false,
        finalists: 1,
    },
    Preset {
        name: "connect",
        about: "weights of Connect Four by CMA-ES, in games against Monte-Carlo search",
        game: "connect",
        rules: "",
        player: "weighted",
        chromosome: "reals",
        initial: 1.0,
        algorithm: "cma-es",
        settings: &[("population", "24")],
        generations: 60,
        games: 15,
        growth: 0.0,
        objective: "score",
        noise: Noise::ReEvaluate,
        common: true,
        opponents: &["mcts(iterations=100)"],
        from_start: false,
        finalists: 10,
    },
    Preset {
        name: "connect-ga",
        about: "weights of Connect-N by the genetic algorithm of connect-n: candidates play each other, fitness 1, selection 1",
        game: "connect",
        rules: "",
        player: "weighted",
        chromosome: "reals",
        initial: 1.0,
        algorithm: "connect-ga",
        settings: &[],
        generations: 37,
        games: 49,
        growth: 0.0,
        objective: "not-lost",
        noise: Noise::Fresh,
        common: true,
        opponents: &[],
        from_start: true,
        finalists: 1,
    },
];

/// All presets, with those of games that have none of their own.
pub fn all() -> impl Iterator<Item = Preset> {
    let has_own = |family: &Family| PRESETS.iter().any(|preset| preset.game == family.name);
    let others = FAMILIES.iter().filter(move |family| !has_own(family));
    PRESETS.iter().copied().chain(others.map(of_any_game))
}

/// The preset of this name.
#[must_use]
pub fn named(name: &str) -> Option<Preset> {
    all().find(|preset| preset.name == name)
}

/// The default preset of a game: the first that is made for it, or else a program over the cells of its board.
#[must_use]
pub fn of_game(game: &str) -> Option<Preset> {
    all().find(|preset| preset.game == game)
}

fn of_any_game(family: &'static Family) -> Preset {
    Preset {
        name: family.name,
        about: "a program over the cells of the board, by Cartesian genetic programming",
        game: family.name,
        rules: "",
        player: "program",
        chromosome: "reals",
        initial: 1.0,
        algorithm: "cgp",
        settings: &[],
        generations: 200,
        games: 20,
        growth: 0.0,
        objective: "score",
        noise: Noise::ReEvaluate,
        common: true,
        opponents: &["random"],
        from_start: false,
        finalists: 1,
    }
}
