//! What is evolved: the weights or program of a player, and how genomes encode them.

use evolve::cgp::Grid;
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
    /// Which weights are left out: they are 0 and no genes encode them. Empty for a program.
    left_out: Vec<bool>,
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
        let left_out = match &free {
            Tunable::Weights(names) => vec![false; names.len()],
            Tunable::Nothing | Tunable::Program(_) => Vec::new(),
        };
        Ok(Self {
            game,
            player,
            free,
            chromosome,
            left_out,
            space,
        })
    }

    /// The same without some of the weights, by their names or their numbers from 1: those are 0.
    pub fn without(mut self, weights: &[String], initial: Range) -> Result<Self, String> {
        if weights.is_empty() {
            return Ok(self);
        }
        let Tunable::Weights(names) = &self.free else {
            return Err(format!("{} has no weights", self.player.name()));
        };
        for text in weights {
            let number = text
                .parse()
                .ok()
                .and_then(|number: usize| number.checked_sub(1));
            let place = names.iter().position(|name| name == text).or(number);
            let place = place.filter(|&place| place < names.len()).ok_or_else(|| {
                let hint = spec::did_you_mean(text, names.iter().map(String::as_str));
                let known = names.join(", ");
                format!(
                    "no weight is called '{text}'{hint}; there are {known}, or their numbers from 1"
                )
            })?;
            self.left_out[place] = true;
        }
        match self.left_out.iter().filter(|&&out| !out).count() {
            0 => Err("no weight would be left".to_owned()),
            left => {
                self.space = self.chromosome.space(left, initial);
                Ok(self)
            }
        }
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
            Tunable::Weights(_) => Some(self.with_zeros(genome)),
            Tunable::Nothing | Tunable::Program(_) => None,
        }
    }

    /// The weights of a genome, with 0 for those that are left out.
    fn with_zeros(&self, genome: &Genome) -> Vec<f64> {
        let left = self.left_out.iter().filter(|&&out| !out).count();
        let mut found = self.chromosome.decode(genome, left).into_iter();
        let weight = |&out: &bool| match out {
            true => 0.0,
            false => found.next().expect("a weight for every place that is left"),
        };
        self.left_out.iter().map(weight).collect()
    }

    /// The genome of these decoded values, one text per column; the error says why there is none.
    pub fn genome(&self, values: &[&str]) -> Result<Genome, String> {
        let genome = match (&self.free, values) {
            (Tunable::Program(grid), [program]) => {
                grid.parse(program).map_err(|error| error.to_string())?
            }
            (Tunable::Weights(names), values) if values.len() == names.len() => {
                self.chromosome.encode(&self.weights_left(names, values)?)?
            }
            _ => {
                let (found, needed) = (values.len(), self.columns().len());
                return Err(format!("{found} values instead of {needed}"));
            }
        };
        self.space.check(&genome).map(|()| genome)
    }

    /// The weights that genes encode, from the texts of all.
    fn weights_left(&self, names: &[String], values: &[&str]) -> Result<Vec<f64>, String> {
        let mut weights = Vec::new();
        for ((text, name), &is_out) in values.iter().zip(names).zip(&self.left_out) {
            let weight: Option<f64> = text.trim().parse().ok();
            match weight.filter(|weight| weight.is_finite()) {
                None => return Err(format!("{name} is '{text}', not a number")),
                Some(weight) if is_out && weight != 0.0 => {
                    return Err(format!(
                        "{name} is {weight}, but it is left out and must be 0"
                    ));
                }
                Some(weight) if !is_out => weights.push(weight),
                Some(_) => {}
            }
        }
        Ok(weights)
    }

    /// The grid, if programs are evolved.
    #[must_use]
    pub fn grid(&self) -> Option<&Grid> {
        match &self.free {
            Tunable::Program(grid) => Some(grid),
            Tunable::Nothing | Tunable::Weights(_) => None,
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
