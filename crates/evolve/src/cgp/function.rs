//! The functions of nodes: functions of numbers and functions of bits. One line each in the lists below.
//!
//! `value.rs` computes them.

use std::fmt::Debug;

/// How a function is written in a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Between its arguments: `x + y`.
    Infix,
    /// Before them, in brackets: `min(x, y)`.
    Call,
}

/// The description of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionKind {
    /// Its name in a function set.
    pub name: &'static str,
    /// Number of connections it uses: 1 or 2.
    pub arity: usize,
    /// How it is written.
    pub notation: Notation,
    /// What it computes of x and y.
    pub about: &'static str,
}

/// A function of one type of value.
pub trait Function: Copy + PartialEq + Debug + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// Its description.
    fn kind(self) -> &'static FunctionKind;
}

macro_rules! functions {
    ($(#[$doc:meta])* $type:ident { $($variant:ident = $name:literal, $arity:literal, $notation:ident, $about:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $type {
            $(#[doc = $about] $variant),+
        }

        impl Function for $type {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn kind(self) -> &'static FunctionKind {
                match self {
                    $(Self::$variant => &FunctionKind {
                        name: $name,
                        arity: $arity,
                        notation: Notation::$notation,
                        about: $about,
                    }),+
                }
            }
        }
    };
}

functions! {
    /// A function of numbers. The result is always finite: it is clamped to the range of finite numbers.
    Arithmetic {
        Add = "+", 2, Infix, "x + y";
        Subtract = "-", 2, Infix, "x - y";
        Multiply = "*", 2, Infix, "x y";
        Divide = "/", 2, Infix, "x / y, and 1 if y is 0";
        Min = "min", 2, Call, "the smaller of x and y";
        Max = "max", 2, Call, "the larger of x and y";
        Average = "avg", 2, Call, "the mean of x and y";
        Greater = "gt", 2, Call, "1 if x > y, else 0";
        Gate = "gate", 2, Call, "y if x > 0, else 0";
        Negate = "neg", 1, Call, "- x";
        Absolute = "abs", 1, Call, "the absolute value of x";
        Root = "sqrt", 1, Call, "the square root of the absolute value of x";
    }
}

functions! {
    /// A function of bits.
    Logic {
        And = "and", 2, Infix, "both x and y";
        Or = "or", 2, Infix, "x or y";
        Nand = "nand", 2, Infix, "not both x and y";
        Nor = "nor", 2, Infix, "neither x nor y";
        Xor = "xor", 2, Infix, "either x or y, not both";
    }
}
