//! The certificate of a server that other machines can reach: given, reused from the last start, or created.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};

use super::Plan;
use crate::address::write_private;

const FILE: &str = "server.pem";
const KEY: &str = "server.key";
const AUTHORITY: &str = "authority.pem";
/// The host that the certificate was made for.
const HOST: &str = "server.host";

/// Files of a certificate, and the authority that clients verify it with.
#[derive(Debug)]
pub(super) struct Certificate {
    pub(super) file: PathBuf,
    pub(super) key: PathBuf,
    /// The signing authority, unless the system trusts it.
    pub(super) authority: Option<String>,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A given file cannot be read.
    #[error("cannot read the certificate file {path}: {error}")]
    File {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// It could not be created.
    #[error("cannot create a certificate for '{host}': {why}")]
    Make {
        /// The host.
        host: String,
        /// Why.
        why: String,
    },
}

impl Certificate {
    pub(super) fn get(plan: &Plan, host: &str) -> Result<Self, CertificateError> {
        match &plan.certificate {
            Some(given) => {
                read(&given.certificate)?;
                read(&given.key)?;
                let authority = given.authority.as_deref().map(read).transpose()?;
                Ok(Self {
                    file: given.certificate.clone(),
                    key: given.key.clone(),
                    authority,
                })
            }
            None => match Self::kept(&plan.directory, host)? {
                Some(kept) => Ok(kept),
                None => Self::make(&plan.directory, host),
            },
        }
    }

    /// That of the last start, if it was made for this host.
    fn kept(directory: &Path, host: &str) -> Result<Option<Self>, CertificateError> {
        let [file, key, authority, made_for] =
            [FILE, KEY, AUTHORITY, HOST].map(|name| directory.join(name));
        // The host is written last, so that a half-written certificate is made again.
        match fs::read_to_string(&made_for) {
            Ok(known) if known == host => Ok(Some(Self {
                authority: Some(read(&authority)?),
                file,
                key,
            })),
            _ => Ok(None),
        }
    }

    /// Signs this one certificate with a new authority and discards its key, so that no other can be signed.
    fn make(directory: &Path, host: &str) -> Result<Self, CertificateError> {
        let failed = |why: String| CertificateError::Make {
            host: host.to_owned(),
            why,
        };
        let wrong = |error: rcgen::Error| failed(error.to_string());
        let authority_key = KeyPair::generate().map_err(wrong)?;
        let mut authority = CertificateParams::new(Vec::new()).map_err(wrong)?;
        authority
            .distinguished_name
            .push(DnType::CommonName, "Gamete cluster");
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let authority_certificate = authority.self_signed(&authority_key).map_err(wrong)?;
        let issuer = Issuer::new(authority, authority_key);
        let key = KeyPair::generate().map_err(wrong)?;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let names = vec![
            bare.to_owned(),
            "localhost".to_owned(),
            "127.0.0.1".to_owned(),
        ];
        let mut server = CertificateParams::new(names).map_err(wrong)?;
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let server = server.signed_by(&key, &issuer).map_err(wrong)?;
        let _ = fs::remove_file(directory.join(HOST));
        for (name, text) in [
            (FILE, server.pem()),
            (KEY, key.serialize_pem()),
            (AUTHORITY, authority_certificate.pem()),
            (HOST, host.to_owned()),
        ] {
            let path = directory.join(name);
            write_private(&path, text.as_bytes()).map_err(|error| failed(error.to_string()))?;
        }
        Ok(Self {
            file: directory.join(FILE),
            key: directory.join(KEY),
            authority: Some(authority_certificate.pem()),
        })
    }
}

fn read(path: &Path) -> Result<String, CertificateError> {
    fs::read_to_string(path).map_err(|error| CertificateError::File {
        path: path.display().to_string(),
        error,
    })
}
