import Foundation

// The attributes of keys, and their values.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// The class of a key: one of the `kSecAttrKeyClass…` values.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// The public key of a key pair.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// The private key of a key pair.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// The name by which programs find a key: data. By default, the name is the hash of the public key.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// A tag that the application gives a key: data.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// A Boolean value that is true if the key is stored in the keychain.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// A Boolean value that is true if the key can be exported only in wrapped form.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// A Boolean value that is true if the key can be exported.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// The size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The effective size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// A Boolean value that is true if the key may encrypt.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// A Boolean value that is true if the key may decrypt.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// A Boolean value that is true if other keys may be derived from the key.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// A Boolean value that is true if the key may sign.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// A Boolean value that is true if the key may verify signatures.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// A Boolean value that is true if the key may wrap other keys.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// A Boolean value that is true if the key may unwrap other keys.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// The attributes of the private key of a new key pair: a dictionary.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// The attributes of the public key of a new key pair: a dictionary.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
/// The algorithm of a key: one of the `kSecAttrKeyType…` values.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// RSA.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// The former name of ``kSecAttrKeyTypeECSECPrimeRandom``.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// Elliptic curves over prime fields: P-256, P-384 and P-521.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// The former name of elliptic-curve keys on macOS.
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// DSA. This module does not support it.
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// AES. This module does not support it.
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// DES. This module does not support it.
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES. This module does not support it.
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// RC4. This module does not support it.
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// RC2. This module does not support it.
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// CAST. This module does not support it.
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// The pseudo-random function of a key that is derived from a password.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// The salt of a key that is derived from a password: data.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// The number of rounds for a key that is derived from a password.
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// HMAC with SHA-1.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// HMAC with SHA-224.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// HMAC with SHA-256.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// HMAC with SHA-384.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// HMAC with SHA-512.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
