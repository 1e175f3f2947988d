//! Functions of this process as players: a program that has this library in it lends them, by number, for as long as it keeps the loan.
//!
//! A spec is text, so that it can be kept and sent. A function is neither, so its spec, `function(id=3)`, means something in this process
//! only, and nowhere after the loan.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use games::{Game, Stream};
use players::{Player, Prepared, Spec};

use crate::position::AnyPosition;

/// Chooses moves in positions of any game.
pub trait Choose: Send + Sync {
    /// The move, or why it gives the game up.
    fn choose(&self, position: &AnyPosition) -> Result<String, String>;
}

const NAME: &str = "function";

type Shelf = Mutex<HashMap<u64, Arc<dyn Choose>>>;

fn shelf() -> &'static Shelf {
    static SHELF: OnceLock<Shelf> = OnceLock::new();
    SHELF.get_or_init(Shelf::default)
}

/// A function that can play until this is dropped.
#[derive(Debug)]
pub struct Loan {
    id: u64,
    spec: Spec,
}

impl Loan {
    /// Lends the function, which results name by this label.
    #[must_use]
    pub fn new(label: &str, function: Arc<dyn Choose>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        shelf().lock().expect("mutex poisoned").insert(id, function);
        let spec: Spec = format!("{NAME}(id={id})").parse().expect("a spec");
        let spec = spec.with_label(label);
        Self { id, spec }
    }

    /// The player.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        shelf().lock().expect("mutex poisoned").remove(&self.id);
    }
}

/// The function of a spec; none if the spec does not name one that is lent.
fn find(spec: &Spec) -> Option<Arc<dyn Choose>> {
    let id = spec.get("id").filter(|_| spec.name() == NAME)?;
    let shelf = shelf().lock().expect("mutex poisoned");
    shelf.get(&id.parse().ok()?).cloned()
}

/// Does the spec name a function that is lent?
pub(crate) fn is_lent(spec: &Spec) -> bool {
    find(spec).is_some()
}

/// The player of a spec that names a function that is lent; none for all others.
pub(crate) fn prepare<G: Game>(game: &G, spec: &Spec) -> Option<Prepared<G>> {
    let function = find(spec)?;
    let any = AnyPosition::of(game, game.start());
    Some(Prepared::new(move || {
        Box::new(Function {
            function: Arc::clone(&function),
            any: any.clone(),
            forfeit: None,
        })
    }))
}

struct Function {
    function: Arc<dyn Choose>,
    /// Any position of the game, to make others of.
    any: AnyPosition,
    forfeit: Option<String>,
}

impl<G: Game> Player<G> for Function {
    fn choose(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> G::Move {
        let any = self.any.with::<G>(position.clone());
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let legal = |chosen: String| {
            let found = moves.iter().find(|legal| legal.to_string() == chosen);
            found.copied().ok_or_else(|| {
                let legal: Vec<String> = moves.iter().map(ToString::to_string).collect();
                format!("chose '{chosen}' in {any}; legal are {}", legal.join(", "))
            })
        };
        match self.function.choose(&any).and_then(legal) {
            Ok(chosen) => chosen,
            Err(reason) => {
                self.forfeit = Some(reason);
                moves[0]
            }
        }
    }

    fn forfeit(&self) -> Option<String> {
        self.forfeit.clone()
    }
}

#[cfg(test)]
mod tests {
    use games::registry;

    use super::*;
    use crate::measure::{Plan, measure};
    use crate::openings::Openings;
    use crate::playing::{Interest, Table, Workers};
    use crate::seating::check;

    struct First;

    impl Choose for First {
        fn choose(&self, position: &AnyPosition) -> Result<String, String> {
            Ok(position.moves()[0].clone())
        }
    }

    struct Wrong;

    impl Choose for Wrong {
        fn choose(&self, _: &AnyPosition) -> Result<String, String> {
            Ok("sideways".to_owned())
        }
    }

    fn plan(loan: &Loan) -> Plan {
        Plan {
            game: registry::build("2048", &"".parse().expect("no rules")).expect("a game"),
            table: Table::new(vec![loan.spec().clone()], None),
            games: 10,
            seed: 1,
            threads: 2,
            interest: Interest::Result,
            both_seats: false,
            openings: Openings::None,
        }
    }

    #[test]
    fn a_function_plays_as_long_as_it_is_lent() {
        let loan = Loan::new("first", Arc::new(First));
        let plan = plan(&loan);
        let workers = Workers::new(2).expect("threads");
        let result = measure(&plan, &workers, &|| {}, &mut |_| {})
            .expect("plays")
            .expect("games");
        assert_eq!(result.player, "first");
        assert!(result.forfeits.is_none());
        assert!(result.moves.mean > 50.0);
        drop(loan);
        assert!(check(&plan.game, &plan.table.specs()[0]).is_err());
    }

    #[test]
    fn an_illegal_move_forfeits_with_what_is_legal() {
        let loan = Loan::new("wrong", Arc::new(Wrong));
        let workers = Workers::new(1).expect("threads");
        let played = measure(&plan(&loan), &workers, &|| {}, &mut |_| {}).expect("plays");
        let forfeits = played.expect("games").forfeits.expect("all");
        assert_eq!(forfeits.games, 10);
        assert!(forfeits.first_reason.contains("legal are"));
    }
}
