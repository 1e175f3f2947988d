//! What is evolved: the weights or program of a player, and how genomes encode them.

use evolve::genome::decode::Chromosome;
use evolve::{Genome, Range, Space};
use games::AnyGame;
use play::seating;
use players::{Spec, SpecError, Tunable};

use play::player_file::{PlayerFile, as_text};

/// A player with weights or a program to evolve.
#[derive(Debug, Clone)]
pub struct Encoding {
    game: AnyGame,
    player: Spec,
    free: Tunable,
    chromosome: Chromosome,
    space: Space,
}

impl Encoding {
    /// The weights or the program of a player. Weights are encoded as `chromosome`; real ones start in `initial`.
    pub fn new(
        game: AnyGame,
        player: Spec,
        chromosome: Chromosome,
        initial: Range,
    ) -> Result<Self, SpecError> {
        // Checked as given, so that errors quote what the user wrote.
        seating::check(&game, &player)?;
        let free = seating::tunable(&game, &player)?;
        let space = match &free {
            Tunable::Nothing => {
                let problem = format!(
                    "{} has neither weights nor a program to evolve",
                    player.name()
                );
                return Err(player.at_name(problem));
            }
            Tunable::Weights(names) => chromosome.space(names.len(), initial),
            Tunable::Program(grid) => Space::Program(grid.clone()),
        };
        Ok(Self {
            game,
            player,
            free,
            chromosome,
            space,
        })
    }

    /// The game with its rules.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The player, without its weights or program.
    #[must_use]
    pub fn player(&self) -> &Spec {
        &self.player
    }

    /// The space of the genomes.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Names of the decoded values: the weights, or the program.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        match &self.free {
            Tunable::Weights(names) => names.clone(),
            Tunable::Nothing | Tunable::Program(_) => vec!["Program".to_owned()],
        }
    }

    /// The decoded values of a genome, one text per column.
    #[must_use]
    pub fn values(&self, genome: &Genome) -> Vec<String> {
        match (self.weights(genome), self.program(genome)) {
            (Some(weights), _) => weights.iter().map(f64::to_string).collect(),
            (None, program) => program.into_iter().collect(),
        }
    }

    /// The weights a genome encodes, if weights are evolved.
    #[must_use]
    pub fn weights(&self, genome: &Genome) -> Option<Vec<f64>> {
        match &self.free {
            Tunable::Weights(names) => Some(self.chromosome.decode(genome, names.len())),
            Tunable::Nothing | Tunable::Program(_) => None,
        }
    }

    fn program(&self, genome: &Genome) -> Option<String> {
        match &self.free {
            Tunable::Program(grid) => Some(grid.print(genome)),
            Tunable::Nothing | Tunable::Weights(_) => None,
        }
    }

    /// The player of a genome.
    #[must_use]
    pub fn spec(&self, genome: &Genome) -> Spec {
        let player = self.player.clone();
        match (self.weights(genome), self.program(genome)) {
            (Some(weights), _) => player.with("weights", &as_text(&weights)),
            (None, Some(program)) => player.with("program", &program),
            (None, None) => player,
        }
    }

    /// The player of a genome, as a player file.
    #[must_use]
    pub fn file(&self, genome: &Genome) -> PlayerFile {
        let mut file = PlayerFile::new(&self.game, &self.player);
        file.weights = self.weights(genome);
        file.program = self.program(genome);
        if let Tunable::Weights(names) = &self.free {
            file.weight_names = Some(names.clone());
        }
        file
    }
}
