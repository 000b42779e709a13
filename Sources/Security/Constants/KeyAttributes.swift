import Foundation

// The attributes of keys, and what they may be.
// Unsafe to the compiler alone: literals never change.

/// Which half a key is: one of the `kSecAttrKeyClass…` values.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// The public half.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// The private half.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// A key's name for programs, by default the hash of its public half: data.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// The application's own tag of a key: data.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// Whether a key is kept in the keychain: a Boolean.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// Whether a key is exported wrapped alone: a Boolean.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// Whether a key can be exported: a Boolean.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// The size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The effective size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// Whether a key may encrypt: a Boolean.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// Whether a key may decrypt: a Boolean.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// Whether other keys may be derived from a key: a Boolean.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// Whether a key may sign: a Boolean.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// Whether a key may verify signatures: a Boolean.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// Whether a key may wrap other keys: a Boolean.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// Whether a key may unwrap other keys: a Boolean.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// Attributes of the private half of a pair to be made: a dictionary.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// Attributes of the public half of a pair to be made: a dictionary.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
/// A key's algorithm: one of the `kSecAttrKeyType…` values.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// RSA.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// The former name of ``kSecAttrKeyTypeECSECPrimeRandom``.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// Elliptic curves over prime fields: P-256, P-384 and P-521.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// An elliptic curve's former name on macOS.
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// DSA, which is not offered here.
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// AES, which is not offered here.
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// DES, which is not offered here.
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES, which is not offered here.
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// RC4, which is not offered here.
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// RC2, which is not offered here.
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// CAST, which is not offered here.
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// The pseudo-random function of a key that is derived from a password.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// The salt of a key that is derived from a password: data.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// The rounds of a key that is derived from a password: a number.
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
