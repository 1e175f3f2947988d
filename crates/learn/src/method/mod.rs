//! How an error changes the weights that it came from. One file each; the list is below.

mod coherence;
mod difference;

use spec::{Kind, Parameter, Spec, SpecError};

pub use coherence::Coherence;
pub use difference::Difference;

/// A way to correct weights.
pub trait Method: Copy + Send + Sync + 'static {
    /// Its name and parameters.
    const KIND: Kind;

    /// How many numbers are kept of every weight besides itself; they begin as zeros.
    const KEPT: usize;

    /// Corrects a weight and what is kept of it: `step` is its part of the error times the learning rate, `error` the whole error.
    fn correct(weight: &mut f32, kept: &mut [f32], step: f32, error: f32);
}

/// All methods. `$body` is compiled with each as the type `$method`; the one of that name is run.
macro_rules! with_method {
    ($spec:expr, $method:ident => $body:expr) => {
        $crate::method::with_method!(@ $spec, $method => $body, [Coherence, Difference])
    };
    (@ $spec:expr, $method:ident => $body:expr, [$($type:ident),+]) => {{
        let kinds = [$(<$crate::method::$type as $crate::method::Method>::KIND),+];
        $(if $spec.name() == <$crate::method::$type as $crate::method::Method>::KIND.name {
            type $method = $crate::method::$type;
            $method::KIND.check_parameters($spec)?;
            return Ok($body);
        })+
        Err($spec.unknown(kinds.iter().map(|kind| kind.name)))
    }};
}
pub(crate) use with_method;

/// All methods, for lists and help.
#[must_use]
pub fn methods() -> Vec<Kind> {
    vec![Coherence::KIND, Difference::KIND]
}

/// How much of an error goes on to the positions before.
pub(crate) const LAMBDA: Parameter = Parameter {
    name: "lambda",
    default: "0.5",
    help: "how much of an error goes on to the position before, and of that to the one before it, 0 to 0.95; 0 is TD(0)",
};

/// The share of an error that is corrected, and how much of it goes on.
pub(crate) fn rates(kind: &Kind, spec: &Spec) -> Result<(f32, f32), SpecError> {
    let rate = kind.parameters.iter().find(|one| one.name == "rate");
    let rate = rate.expect("every method has a rate");
    Ok((
        spec.number(rate, 0.000_001..=10.0)?,
        spec.number(&LAMBDA, 0.0..=0.95)?,
    ))
}
