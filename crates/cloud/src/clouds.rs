//! The clouds to rent machines from.

use std::fmt;

use serde::{Serialize, Serializer};

/// A cloud, by its name in SkyPilot.
#[derive(Debug, PartialEq, Eq)]
pub struct Cloud {
    /// The name on the command line and in SkyPilot's files.
    pub name: &'static str,
    /// Prefixes of unsuitable machine types: their processors are shared and throttled, or not x86-64, or older than AVX2, which the program
    /// needs.
    unfit: &'static [&'static str],
}

/// All clouds. SkyPilot knows more, but in these the machines of an account share a private network even if they were rented one by one: that is
/// how workers reach the head without a public port.
pub const CLOUDS: &[Cloud] = &[
    Cloud {
        name: "aws",
        unfit: &[
            "t1.", "t2.", "t3.", "t3a.", "t4g.", "a1.", "m1.", "m2.", "m3.", "c1.", "c3.", "cc2.",
            "r3.", "i2.", "hs1.",
        ],
    },
    Cloud {
        name: "gcp",
        unfit: &[
            "f1-",
            "g1-",
            "e2-micro",
            "e2-small",
            "e2-medium",
            "n1-",
            "t2a-",
            "c4a-",
            "n4a-",
        ],
    },
];

/// No such cloud.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown cloud '{name}'; expected one of {}", names().join(", "))]
pub struct UnknownCloud {
    /// The name that was given.
    pub name: String,
}

/// The names of all clouds.
#[must_use]
pub fn names() -> Vec<&'static str> {
    CLOUDS.iter().map(|cloud| cloud.name).collect()
}

/// The cloud of this name.
pub fn cloud(name: &str) -> Result<&'static Cloud, UnknownCloud> {
    let found = CLOUDS.iter().find(|cloud| cloud.name == name);
    found.ok_or_else(|| UnknownCloud {
        name: name.to_owned(),
    })
}

impl Cloud {
    /// Does a machine type have dedicated x86-64 processors that are new enough?
    #[must_use]
    pub fn is_fit(&self, machine_type: &str) -> bool {
        !self
            .unfit
            .iter()
            .any(|family| machine_type.starts_with(family))
    }
}

impl fmt::Display for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for Cloud {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
