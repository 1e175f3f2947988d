//! The network that a player or an evaluation names.

use spec::{Parameter, Spec, SpecError};

use super::{AnyNetwork, shelf, shipped};

pub(crate) const FILE: Parameter = Parameter {
    name: "file",
    default: "",
    help: "the file of the network; without one, for 2048, the small network that comes with the program",
};
pub(crate) const ID: Parameter = Parameter {
    name: "id",
    default: "",
    help: "the hash of its contents, which takes the place of the file once that has been read",
};

/// The network that a spec names by its id, which must be of this game with a board of so many rows and columns.
pub(crate) fn of_spec(spec: &Spec, game: &str, size: (u8, u8)) -> Result<AnyNetwork, SpecError> {
    let network = match (spec.value(&ID), spec.value(&FILE)) {
        ("", "") => small(spec, game)?,
        ("", _) => return Err(spec.at(FILE.name, "no file can be read here".to_owned())),
        (id, _) => shelf::get(id).map_err(|problem| spec.at(ID.name, problem))?,
    };
    let (own_game, own_size) = network.board();
    if own_game != game {
        let problem = format!("the network is one of {own_game}, not of {game}");
        return Err(spec.at(ID.name, problem));
    }
    if own_size != size {
        let ((rows, cols), (own_rows, own_cols)) = (size, own_size);
        let problem = format!(
            "the network is for a board of {own_rows}x{own_cols}, not of {rows}x{cols}; 'gamete train {game}' trains one for it"
        );
        return Err(spec.at(ID.name, problem));
    }
    Ok(network)
}

/// The network that comes with the program.
fn small(spec: &Spec, game: &str) -> Result<AnyNetwork, SpecError> {
    match game {
        "2048" => Ok(shipped::small().clone()),
        _ => Err(spec.at_name(format!(
            "network needs a file, as network(file=DIR/champion.network); 'gamete train {game}' makes one"
        ))),
    }
}
