// Status codes of an operation's parameters.

/// The operation was given a key that is invalid.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// The operation needs a key and was given none.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The operation was given an initialization vector that is invalid.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The operation needs an initialization vector and was given none.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The operation was given a salt that is invalid.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The operation needs a salt and was given none.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The operation was given a padding that is invalid.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The operation needs a padding and was given none.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The operation was given a random number that is invalid.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The operation needs a random number and was given none.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The operation was given a seed that is invalid.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The operation needs a seed and was given none.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The operation was given a password that is invalid.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The operation needs a password and was given none.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The operation was given a key length that is invalid.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The operation needs a key length and was given none.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The operation was given a block size that is invalid.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The operation needs a block size and was given none.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The operation was given a size of the output that is invalid.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The operation needs a size of the output and was given none.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The operation was given a number of rounds that is invalid.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The operation needs a number of rounds and was given none.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The operation was given a set of parameters that is invalid.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The operation needs a set of parameters and was given none.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The operation was given a label that is invalid.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The operation needs a label and was given none.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The operation was given a type of key that is invalid.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The operation needs a type of key and was given none.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The operation was given a mode that is invalid.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The operation needs a mode and was given none.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The operation was given a number of effective bits that is invalid.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The operation needs a number of effective bits and was given none.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The operation was given a start date that is invalid.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The operation needs a start date and was given none.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The operation was given an end date that is invalid.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The operation needs an end date and was given none.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The operation was given a version that is invalid.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The operation needs a version and was given none.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The operation was given a prime that is invalid.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The operation needs a prime and was given none.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The operation was given a base that is invalid.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The operation needs a base and was given none.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The operation was given a subprime that is invalid.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The operation needs a subprime and was given none.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The operation was given a number of iterations that is invalid.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The operation needs a number of iterations and was given none.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The operation was given a database handle that is invalid.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The operation needs a database handle and was given none.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The operation was given a set of credentials that is invalid.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// The operation needs a set of credentials and was given none.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The operation was given a public key's format that is invalid.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The operation needs a public key's format and was given none.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The operation was given a private key's format that is invalid.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The operation needs a private key's format and was given none.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The operation was given a symmetric key's format that is invalid.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The operation needs a symmetric key's format and was given none.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The operation was given a wrapped key's format that is invalid.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The operation needs a wrapped key's format and was given none.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

extension StatusMessages {
  static let attribute: [OSStatus: String] = [
    errSecInvalidAttributeKey: "The operation was given a key that is invalid.",
    errSecMissingAttributeKey: "The operation needs a key and was given none.",
    errSecInvalidAttributeInitVector:
      "The operation was given an initialization vector that is invalid.",
    errSecMissingAttributeInitVector:
      "The operation needs an initialization vector and was given none.",
    errSecInvalidAttributeSalt: "The operation was given a salt that is invalid.",
    errSecMissingAttributeSalt: "The operation needs a salt and was given none.",
    errSecInvalidAttributePadding: "The operation was given a padding that is invalid.",
    errSecMissingAttributePadding: "The operation needs a padding and was given none.",
    errSecInvalidAttributeRandom: "The operation was given a random number that is invalid.",
    errSecMissingAttributeRandom: "The operation needs a random number and was given none.",
    errSecInvalidAttributeSeed: "The operation was given a seed that is invalid.",
    errSecMissingAttributeSeed: "The operation needs a seed and was given none.",
    errSecInvalidAttributePassphrase: "The operation was given a password that is invalid.",
    errSecMissingAttributePassphrase: "The operation needs a password and was given none.",
    errSecInvalidAttributeKeyLength: "The operation was given a key length that is invalid.",
    errSecMissingAttributeKeyLength: "The operation needs a key length and was given none.",
    errSecInvalidAttributeBlockSize: "The operation was given a block size that is invalid.",
    errSecMissingAttributeBlockSize: "The operation needs a block size and was given none.",
    errSecInvalidAttributeOutputSize:
      "The operation was given a size of the output that is invalid.",
    errSecMissingAttributeOutputSize:
      "The operation needs a size of the output and was given none.",
    errSecInvalidAttributeRounds: "The operation was given a number of rounds that is invalid.",
    errSecMissingAttributeRounds: "The operation needs a number of rounds and was given none.",
    errSecInvalidAlgorithmParms: "The operation was given a set of parameters that is invalid.",
    errSecMissingAlgorithmParms: "The operation needs a set of parameters and was given none.",
    errSecInvalidAttributeLabel: "The operation was given a label that is invalid.",
    errSecMissingAttributeLabel: "The operation needs a label and was given none.",
    errSecInvalidAttributeKeyType: "The operation was given a type of key that is invalid.",
    errSecMissingAttributeKeyType: "The operation needs a type of key and was given none.",
    errSecInvalidAttributeMode: "The operation was given a mode that is invalid.",
    errSecMissingAttributeMode: "The operation needs a mode and was given none.",
    errSecInvalidAttributeEffectiveBits:
      "The operation was given a number of effective bits that is invalid.",
    errSecMissingAttributeEffectiveBits:
      "The operation needs a number of effective bits and was given none.",
    errSecInvalidAttributeStartDate: "The operation was given a start date that is invalid.",
    errSecMissingAttributeStartDate: "The operation needs a start date and was given none.",
    errSecInvalidAttributeEndDate: "The operation was given an end date that is invalid.",
    errSecMissingAttributeEndDate: "The operation needs an end date and was given none.",
    errSecInvalidAttributeVersion: "The operation was given a version that is invalid.",
    errSecMissingAttributeVersion: "The operation needs a version and was given none.",
    errSecInvalidAttributePrime: "The operation was given a prime that is invalid.",
    errSecMissingAttributePrime: "The operation needs a prime and was given none.",
    errSecInvalidAttributeBase: "The operation was given a base that is invalid.",
    errSecMissingAttributeBase: "The operation needs a base and was given none.",
    errSecInvalidAttributeSubprime: "The operation was given a subprime that is invalid.",
    errSecMissingAttributeSubprime: "The operation needs a subprime and was given none.",
    errSecInvalidAttributeIterationCount:
      "The operation was given a number of iterations that is invalid.",
    errSecMissingAttributeIterationCount:
      "The operation needs a number of iterations and was given none.",
    errSecInvalidAttributeDLDBHandle: "The operation was given a database handle that is invalid.",
    errSecMissingAttributeDLDBHandle: "The operation needs a database handle and was given none.",
    errSecInvalidAttributeAccessCredentials:
      "The operation was given a set of credentials that is invalid.",
    errSecMissingAttributeAccessCredentials:
      "The operation needs a set of credentials and was given none.",
    errSecInvalidAttributePublicKeyFormat:
      "The operation was given a public key's format that is invalid.",
    errSecMissingAttributePublicKeyFormat:
      "The operation needs a public key's format and was given none.",
    errSecInvalidAttributePrivateKeyFormat:
      "The operation was given a private key's format that is invalid.",
    errSecMissingAttributePrivateKeyFormat:
      "The operation needs a private key's format and was given none.",
    errSecInvalidAttributeSymmetricKeyFormat:
      "The operation was given a symmetric key's format that is invalid.",
    errSecMissingAttributeSymmetricKeyFormat:
      "The operation needs a symmetric key's format and was given none.",
    errSecInvalidAttributeWrappedKeyFormat:
      "The operation was given a wrapped key's format that is invalid.",
    errSecMissingAttributeWrappedKeyFormat:
      "The operation needs a wrapped key's format and was given none.",
  ]
}
