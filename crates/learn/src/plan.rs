//! What is trained, and how.

use std::ops::Range;
use std::sync::Arc;

use games::AnyGame;
use games::twenty48::Direction;
use players::RecordedGame;
use players::network::{AnyLookup, Shape, ShapeError};
use spec::{Spec, SpecError};

use crate::course::connect::{CourseConnect, Exploration};
use crate::course::twenty48::Course2048;
use crate::course::{Course, Recorded};
use crate::learner::{Learner, Setup};
use crate::method::{Method, rates, with_method};
use crate::table;
use crate::training::Training;

/// Where games begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// At the start.
    Start,
    /// In turn at the start and with positions that later stages began with (carousel shaping, Jaskowski 2018).
    Carousel,
}

impl Restart {
    /// Their names.
    pub const NAMES: [&str; 2] = ["start", "carousel"];

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Some([Self::Start, Self::Carousel][place])
    }
}

/// What is trained, and how. All of it changes the numbers.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The game.
    pub game: AnyGame,
    /// The network.
    pub shape: Shape,
    /// How errors change weights.
    pub method: Spec,
    /// What the network expects of a position that it has never met.
    pub initial: f32,
    /// Where games begin.
    pub restart: Restart,
    /// Games that are played side by side.
    pub side_by_side: usize,
    /// Games to learn from instead of playing, over and over; empty: it plays.
    pub record: Arc<Vec<RecordedGame>>,
}

/// Why a plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The network does not fit the game.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The method.
    #[error(transparent)]
    Method(#[from] SpecError),
    /// A recorded game is none of this game.
    #[error("game {0} of the record cannot have been played by these rules")]
    Record(usize),
    /// There is not enough memory.
    #[error("no memory for the network: {0}")]
    Memory(#[from] std::io::Error),
}

impl Plan {
    /// Bytes of all tables while they learn.
    pub fn bytes(&self) -> Result<u64, PlanError> {
        let lookup = self.lookup()?;
        let (sizes, method) = (lookup.tables().iter(), &self.method);
        let floats: usize =
            (|| with_method!(method, M => sizes.map(|&size| table::floats::<M>(size)).sum()))()?;
        Ok((floats * size_of::<f32>()) as u64)
    }

    /// The most positions that are valued in a step: those that moves lead to, and the one before.
    #[must_use]
    pub fn most_rows(&self) -> usize {
        let moves = match &self.game {
            AnyGame::Twenty48(_) => Direction::ALL.len(),
            AnyGame::Connect(game) => usize::from(game.rules().cols),
            AnyGame::WideConnect(game) => usize::from(game.rules().cols),
            _ => return 0,
        };
        self.side_by_side * (moves + 1)
    }

    /// The shape with its tuples listed, whatever they were named by.
    pub fn listed(&self) -> Result<Shape, PlanError> {
        Ok(self.lookup()?.listed(&self.shape))
    }

    /// What finds positions in the tables.
    pub fn lookup(&self) -> Result<AnyLookup, PlanError> {
        Ok(AnyLookup::new(&self.game, &self.shape)?)
    }

    /// Reads the method's settings, and with them everything a learner needs to know.
    pub fn setup(&self, seed: u64) -> Result<Setup, PlanError> {
        let method = &self.method;
        let (rate, lambda) = (|| with_method!(method, M => rates(&M::KIND, method)?))()?;
        Ok(Setup {
            rate,
            lambda,
            initial: self.initial,
            restart: self.restart,
            side_by_side: self.side_by_side,
            seed,
        })
    }

    /// A learner that has this range of the tables.
    pub fn learner(&self, seed: u64, own: Range<usize>) -> Result<Box<dyn Training>, PlanError> {
        let setup = self.setup(seed)?;
        match (self.lookup()?, &self.game) {
            (AnyLookup::Twenty48(lookup), AnyGame::Twenty48(game)) => {
                let course = Course2048::new(game.clone(), lookup, seed);
                self.of_course(course, setup, own)
            }
            (AnyLookup::Connect(lookup), AnyGame::Connect(game)) => {
                let exploration = Exploration::of(game.rules());
                let course = CourseConnect::new(game.clone(), lookup, exploration, seed);
                self.of_course(course, setup, own)
            }
            (AnyLookup::Connect(lookup), AnyGame::WideConnect(game)) => {
                let exploration = Exploration::of(game.rules());
                let course = CourseConnect::new(game.clone(), lookup, exploration, seed);
                self.of_course(course, setup, own)
            }
            _ => unreachable!("a lookup is made for its game"),
        }
    }

    fn of_course(
        &self,
        course: impl Course,
        setup: Setup,
        own: Range<usize>,
    ) -> Result<Box<dyn Training>, PlanError> {
        if self.record.is_empty() {
            return self.of_any(course, setup, own);
        }
        let recorded = Recorded::new(course, &self.record);
        let recorded = recorded.map_err(|number| PlanError::Record(number + 1))?;
        self.of_any(recorded, setup, own)
    }

    fn of_any(
        &self,
        course: impl Course,
        setup: Setup,
        own: Range<usize>,
    ) -> Result<Box<dyn Training>, PlanError> {
        let method = &self.method;
        let learner = (|| {
            with_method!(method, M => {
                let learner = Learner::<_, M>::new(course, setup, own);
                learner.map(|learner| Box::new(learner) as Box<dyn Training>)
            })
        })();
        Ok(learner??)
    }
}
