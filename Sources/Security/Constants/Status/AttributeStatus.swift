// Status codes of an operation's parameters.

/// The operation was given an invalid key.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// The operation needs a key, but none was given.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The operation was given an invalid initialization vector.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The operation needs an initialization vector, but none was given.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The operation was given an invalid salt.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The operation needs a salt, but none was given.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The operation was given an invalid padding.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The operation needs a padding, but none was given.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The operation was given an invalid random number.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The operation needs a random number, but none was given.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The operation was given an invalid seed.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The operation needs a seed, but none was given.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The operation was given an invalid password.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The operation needs a password, but none was given.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The operation was given an invalid key length.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The operation needs a key length, but none was given.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The operation was given an invalid block size.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The operation needs a block size, but none was given.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The operation was given an invalid output size.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The operation needs an output size, but none was given.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The operation was given an invalid number of rounds.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The operation needs a number of rounds, but none was given.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The operation was given an invalid set of parameters.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The operation needs a set of parameters, but none was given.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The operation was given an invalid label.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The operation needs a label, but none was given.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The operation was given an invalid key type.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The operation needs a key type, but none was given.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The operation was given an invalid mode.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The operation needs a mode, but none was given.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The operation was given an invalid number of effective bits.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The operation needs a number of effective bits, but none was given.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The operation was given an invalid start date.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The operation needs a start date, but none was given.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The operation was given an invalid end date.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The operation needs an end date, but none was given.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The operation was given an invalid version.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The operation needs a version, but none was given.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The operation was given an invalid prime.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The operation needs a prime, but none was given.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The operation was given an invalid base.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The operation needs a base, but none was given.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The operation was given an invalid subprime.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The operation needs a subprime, but none was given.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The operation was given an invalid number of iterations.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The operation needs a number of iterations, but none was given.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The operation was given an invalid database handle.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The operation needs a database handle, but none was given.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The operation was given an invalid set of credentials.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// The operation needs a set of credentials, but none was given.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The operation was given an invalid public key format.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The operation needs a public key format, but none was given.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The operation was given an invalid private key format.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The operation needs a private key format, but none was given.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The operation was given an invalid symmetric key format.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The operation needs a symmetric key format, but none was given.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The operation was given an invalid wrapped key format.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The operation needs a wrapped key format, but none was given.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

extension StatusMessages {
  static let attribute: [OSStatus: String] = [
    errSecInvalidAttributeKey: "The operation was given an invalid key.",
    errSecMissingAttributeKey: "The operation needs a key, but none was given.",
    errSecInvalidAttributeInitVector: "The operation was given an invalid initialization vector.",
    errSecMissingAttributeInitVector:
      "The operation needs an initialization vector, but none was given.",
    errSecInvalidAttributeSalt: "The operation was given an invalid salt.",
    errSecMissingAttributeSalt: "The operation needs a salt, but none was given.",
    errSecInvalidAttributePadding: "The operation was given an invalid padding.",
    errSecMissingAttributePadding: "The operation needs a padding, but none was given.",
    errSecInvalidAttributeRandom: "The operation was given an invalid random number.",
    errSecMissingAttributeRandom: "The operation needs a random number, but none was given.",
    errSecInvalidAttributeSeed: "The operation was given an invalid seed.",
    errSecMissingAttributeSeed: "The operation needs a seed, but none was given.",
    errSecInvalidAttributePassphrase: "The operation was given an invalid password.",
    errSecMissingAttributePassphrase: "The operation needs a password, but none was given.",
    errSecInvalidAttributeKeyLength: "The operation was given an invalid key length.",
    errSecMissingAttributeKeyLength: "The operation needs a key length, but none was given.",
    errSecInvalidAttributeBlockSize: "The operation was given an invalid block size.",
    errSecMissingAttributeBlockSize: "The operation needs a block size, but none was given.",
    errSecInvalidAttributeOutputSize: "The operation was given an invalid output size.",
    errSecMissingAttributeOutputSize: "The operation needs an output size, but none was given.",
    errSecInvalidAttributeRounds: "The operation was given an invalid number of rounds.",
    errSecMissingAttributeRounds: "The operation needs a number of rounds, but none was given.",
    errSecInvalidAlgorithmParms: "The operation was given an invalid set of parameters.",
    errSecMissingAlgorithmParms: "The operation needs a set of parameters, but none was given.",
    errSecInvalidAttributeLabel: "The operation was given an invalid label.",
    errSecMissingAttributeLabel: "The operation needs a label, but none was given.",
    errSecInvalidAttributeKeyType: "The operation was given an invalid key type.",
    errSecMissingAttributeKeyType: "The operation needs a key type, but none was given.",
    errSecInvalidAttributeMode: "The operation was given an invalid mode.",
    errSecMissingAttributeMode: "The operation needs a mode, but none was given.",
    errSecInvalidAttributeEffectiveBits:
      "The operation was given an invalid number of effective bits.",
    errSecMissingAttributeEffectiveBits:
      "The operation needs a number of effective bits, but none was given.",
    errSecInvalidAttributeStartDate: "The operation was given an invalid start date.",
    errSecMissingAttributeStartDate: "The operation needs a start date, but none was given.",
    errSecInvalidAttributeEndDate: "The operation was given an invalid end date.",
    errSecMissingAttributeEndDate: "The operation needs an end date, but none was given.",
    errSecInvalidAttributeVersion: "The operation was given an invalid version.",
    errSecMissingAttributeVersion: "The operation needs a version, but none was given.",
    errSecInvalidAttributePrime: "The operation was given an invalid prime.",
    errSecMissingAttributePrime: "The operation needs a prime, but none was given.",
    errSecInvalidAttributeBase: "The operation was given an invalid base.",
    errSecMissingAttributeBase: "The operation needs a base, but none was given.",
    errSecInvalidAttributeSubprime: "The operation was given an invalid subprime.",
    errSecMissingAttributeSubprime: "The operation needs a subprime, but none was given.",
    errSecInvalidAttributeIterationCount:
      "The operation was given an invalid number of iterations.",
    errSecMissingAttributeIterationCount:
      "The operation needs a number of iterations, but none was given.",
    errSecInvalidAttributeDLDBHandle: "The operation was given an invalid database handle.",
    errSecMissingAttributeDLDBHandle: "The operation needs a database handle, but none was given.",
    errSecInvalidAttributeAccessCredentials:
      "The operation was given an invalid set of credentials.",
    errSecMissingAttributeAccessCredentials:
      "The operation needs a set of credentials, but none was given.",
    errSecInvalidAttributePublicKeyFormat:
      "The operation was given an invalid public key format.",
    errSecMissingAttributePublicKeyFormat:
      "The operation needs a public key format, but none was given.",
    errSecInvalidAttributePrivateKeyFormat:
      "The operation was given an invalid private key format.",
    errSecMissingAttributePrivateKeyFormat:
      "The operation needs a private key format, but none was given.",
    errSecInvalidAttributeSymmetricKeyFormat:
      "The operation was given an invalid symmetric key format.",
    errSecMissingAttributeSymmetricKeyFormat:
      "The operation needs a symmetric key format, but none was given.",
    errSecInvalidAttributeWrappedKeyFormat:
      "The operation was given an invalid wrapped key format.",
    errSecMissingAttributeWrappedKeyFormat:
      "The operation needs a wrapped key format, but none was given.",
  ]
}
