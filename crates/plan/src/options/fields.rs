//! One line per option: the table from which reading, writing, merging and the lists of keys come.
//!
//! Owns the macro and the vocabulary of keys. Leaves out the forms of the values ([`super::forms`]).

/// Where an option may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere: script, config file, environment, command line.
    Anywhere,
    /// Everywhere but in the script.
    OutsideScript,
}

/// The name of an option and where it may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name in scripts and config files.
    pub name: &'static str,
    /// Where it may be set.
    pub scope: Scope,
}

/// Defines a struct of optional values with one line per field: `name: Form = "key", Scope;`.
///
/// With `layered` in front it can also be read from text and merged with a higher layer.
macro_rules! fields {
    (
        layered
        $(#[$about:meta])*
        pub struct $name:ident {
            $( $(#[$doc:meta])* $field:ident: $form:ty = $key:literal, $scope:ident; )*
        }
    ) => {
        $crate::options::fields::fields! {
            $(#[$about])*
            pub struct $name {
                $( $(#[$doc])* $field: $form = $key, $scope; )*
            }
        }
        $crate::options::fields::layers! { $name { $( $field: $form = $key; )* } }
    };
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $( $(#[$doc:meta])* $field:ident: $form:ty = $key:literal, $scope:ident; )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $( $(#[$doc])* pub $field: Option<<$form as $crate::options::forms::Form>::Value>, )*
        }

        impl $name {
            /// Every key, in the order in which they are written.
            pub const KEYS: &'static [$crate::options::fields::Key] = &[
                $( $crate::options::fields::Key {
                    name: $key,
                    scope: $crate::options::fields::Scope::$scope,
                }, )*
            ];

            /// Sets the value of a known key from JSON; anything wrong is pushed into `findings`.
            pub(super) fn set_value(
                &mut self,
                key: &str,
                value: &serde_json::Value,
                place: &$crate::problem::Place,
                findings: &mut $crate::problem::Findings,
            ) {
                use $crate::options::forms::Form;
                match key {
                    $( $key => self.$field = <$form>::read(value, place, findings), )*
                    _ => {}
                }
            }

            /// The value of a key as JSON; null when it is not set or unknown.
            pub fn value(&self, key: &str) -> serde_json::Value {
                use $crate::options::forms::Form;
                match key {
                    $( $key => self
                        .$field
                        .as_ref()
                        .map_or(serde_json::Value::Null, <$form>::write), )*
                    _ => serde_json::Value::Null,
                }
            }
        }
    };
}

/// For the options proper, also reading from text and merging layers.
macro_rules! layers {
    ($name:ident { $( $field:ident: $form:ty = $key:literal; )* }) => {
        impl $name {
            fn set_known_text(
                &mut self,
                key: &str,
                text: &str,
                place: &$crate::problem::Place,
                findings: &mut $crate::problem::Findings,
            ) {
                use $crate::options::forms::Form;
                match key {
                    $( $key => {
                        let Some(later) = <$form>::text(text, place, findings) else { return };
                        match &mut self.$field {
                            Some(earlier) => <$form>::extend(earlier, later),
                            none => *none = Some(later),
                        }
                    } )*
                    _ => {}
                }
            }

            /// Puts the values that `upper` sets above ours and tells which keys they were.
            fn overlay(&mut self, upper: Self, mut set: impl FnMut(&'static str)) {
                use $crate::options::forms::Form;
                $( if let Some(value) = upper.$field {
                    set($key);
                    match &mut self.$field {
                        Some(lower) => <$form>::overlay(lower, value),
                        none => *none = Some(value),
                    }
                } )*
            }
        }
    };
}

pub(super) use {fields, layers};
