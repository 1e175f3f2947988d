//! Who is who: every worker has a key of its own, and the server lets nobody speak or listen for another.
//!
//! The server trusts one account. Its key signs the coordinator's user. A second key, which stands in `worker.join`, can only sign users
//! with the permissions of a worker, and those name the user's own public key: a worker makes a key, signs a user for it, and
//! proves to the server that it has the key. So whoever holds `worker.join` can be any number of workers, but never one of the others.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::address::Secret;
use crate::wire::{WHO, orders_to, sent_by};

/// A key with its public name.
#[derive(Clone)]
pub struct Identity(Arc<KeyPair>);

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name())
    }
}

impl Default for Identity {
    fn default() -> Self {
        Self::new()
    }
}

impl Identity {
    /// A new user.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(KeyPair::new_user()))
    }

    /// The key of a seed.
    pub fn of_seed(seed: &Secret) -> Result<Self, nkeys::error::Error> {
        Ok(Self(Arc::new(KeyPair::from_seed(seed.reveal())?)))
    }

    /// Its public key, by which others know it.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.public_key()
    }

    /// Its secret.
    #[must_use]
    pub fn seed(&self) -> Secret {
        Secret::new(self.0.seed().expect("keys are made with their seeds"))
    }

    /// A signature.
    pub fn sign(&self, bytes: &[u8]) -> Result<Vec<u8>, nkeys::error::Error> {
        self.0.sign(bytes)
    }

    /// A signed statement in the form that NATS servers read.
    fn token(&self, subject: &str, name: &str, claims: &Value) -> String {
        let claims =
            json!({ "iss": self.name(), "sub": subject, "name": name, "iat": 0, "nats": claims });
        let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
        let [header, claims] =
            [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = format!("{header}.{claims}");
        let signature = self.sign(signed.as_bytes()).expect("keys have their seeds");
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// What signs users with the permissions of a worker, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerIssuer {
    /// The account of the users.
    pub account: String,
    /// The seed of the signing key.
    pub issuer: Secret,
}

impl WorkerIssuer {
    /// A user for the key of a worker.
    pub fn user_of(&self, worker: &Identity) -> Result<String, nkeys::error::Error> {
        let claims = json!({ "type": "user", "version": 2, "issuer_account": self.account });
        let issuer = Identity::of_seed(&self.issuer)?;
        Ok(issuer.token(&worker.name(), "worker", &claims))
    }
}

/// A user with its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserKey {
    /// The signed user.
    pub jwt: String,
    /// Its seed.
    pub seed: Secret,
}

/// The keys of a server. They outlive its restarts, so that nobody has to join again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ServerKeys {
    operator: Secret,
    account: Secret,
    issuer: Secret,
    coordinator: Secret,
}

/// No limit, as NATS writes it.
const UNLIMITED: i32 = -1;

impl ServerKeys {
    /// New ones.
    #[must_use]
    pub fn new() -> Self {
        let seed = |key: KeyPair| Identity(Arc::new(key)).seed();
        Self {
            operator: seed(KeyPair::new_operator()),
            account: seed(KeyPair::new_account()),
            issuer: seed(KeyPair::new_account()),
            coordinator: seed(KeyPair::new_user()),
        }
    }

    /// The lines of the server's configuration.
    pub fn config(&self) -> Result<String, nkeys::error::Error> {
        let (operator, account) = (
            Identity::of_seed(&self.operator)?,
            Identity::of_seed(&self.account)?,
        );
        let operator_token = operator.token(
            &operator.name(),
            "gamete",
            &json!({ "type": "operator", "version": 2 }),
        );
        let issuer = Identity::of_seed(&self.issuer)?;
        let account_token = operator.token(&account.name(), "gamete", &account_claims(&issuer));
        Ok(format!(
            "operator: {operator_token:?}\nresolver: MEMORY\nresolver_preload: {{ {}: {account_token:?} }}\n",
            account.name()
        ))
    }

    /// What the coordinator logs in with.
    pub fn coordinator(&self) -> Result<UserKey, nkeys::error::Error> {
        let user = Identity::of_seed(&self.coordinator)?;
        let claims = json!({
            "type": "user", "version": 2, "subs": UNLIMITED, "data": UNLIMITED, "payload": UNLIMITED,
        });
        let account = Identity::of_seed(&self.account)?;
        Ok(UserKey {
            jwt: account.token(&user.name(), "coordinator", &claims),
            seed: self.coordinator.clone(),
        })
    }

    /// What workers make their users with.
    pub fn worker_issuer(&self) -> Result<WorkerIssuer, nkeys::error::Error> {
        Ok(WorkerIssuer {
            account: Identity::of_seed(&self.account)?.name(),
            issuer: self.issuer.clone(),
        })
    }
}

impl Default for ServerKeys {
    fn default() -> Self {
        Self::new()
    }
}

/// The account: everything is allowed, except that users of the issuer may only do what a worker does, each under its own name.
fn account_claims(issuer: &Identity) -> Value {
    let own = "{{subject()}}";
    json!({
        "type": "account",
        "version": 2,
        "limits": {
            "subs": UNLIMITED, "data": UNLIMITED, "payload": UNLIMITED, "imports": UNLIMITED, "exports": UNLIMITED,
            "wildcards": true, "conn": UNLIMITED, "leaf": UNLIMITED,
        },
        "signing_keys": [{
            "kind": "user_scope",
            "key": issuer.name(),
            "role": "worker",
            "template": {
                "pub": { "allow": [sent_by(own, "*")] },
                "sub": { "allow": [orders_to(own), WHO] },
                "subs": UNLIMITED, "data": UNLIMITED, "payload": UNLIMITED,
            },
        }],
    })
}
