/// Constants of the TPM 2.0 Library specification, part 2.
enum TPMConstants {
  // TPM_ALG_ID (table 9)
  static let aes: UInt16 = 0x0006
  static let keyedHash: UInt16 = 0x0008
  static let sha256: UInt16 = 0x000B
  static let null: UInt16 = 0x0010
  static let ecdsa: UInt16 = 0x0018
  static let ecc: UInt16 = 0x0023
  static let cfb: UInt16 = 0x0043
  // TPM_ECC_CURVE (table 10)
  static let p256: UInt16 = 0x0003

  // TPM_HANDLE, and the same hierarchies as tpm2-tss numbers them
  static let ownerHierarchy: UInt32 = 0x4000_0001
  static let nullHierarchy: UInt32 = 0x4000_0007
  static let libraryOwner: UInt32 = 0x101
  static let libraryNone: UInt32 = 0xFFF
  /// The handle of a storage primary key that the system made (TCG TPM v2.0 Provisioning Guidance,
  /// section 7.8).
  static let persistentPrimary: UInt32 = 0x8100_0001

  // TPM_EO (table 20), TPM_CC (table 12)
  static let isEqual: UInt16 = 0x0000
  static let policyNV: UInt32 = 0x0000_0149

  // TPM_ST (table 19), TPM_SE (table 21)
  static let hashTicketTag: UInt16 = 0x8024
  static let hmacSession: UInt8 = 0
  static let policySession: UInt8 = 1
  static let trialSession: UInt8 = 3
  /// The library's handles of an object, and of an NV index, are read from this capability.
  static let capabilityHandles: UInt32 = 1
  static let capabilityPCRs: UInt32 = 5
  static let capabilityProperties: UInt32 = 6
}

/// `TPMA_OBJECT`: the attributes of an object (part 2, table 31).
struct TPMObjectAttributes: OptionSet {
  let rawValue: UInt32

  static let fixedTPM = Self(rawValue: 0x2)
  static let fixedParent = Self(rawValue: 0x10)
  static let sensitiveDataOrigin = Self(rawValue: 0x20)
  static let userWithAuth = Self(rawValue: 0x40)
  static let noDA = Self(rawValue: 0x400)
  static let restricted = Self(rawValue: 0x1_0000)
  static let decrypt = Self(rawValue: 0x2_0000)
  static let sign = Self(rawValue: 0x4_0000)
}

/// `TPMA_SESSION`: the attributes of a session in one command (part 2, table 32).
struct TPMSessionAttributes: OptionSet {
  let rawValue: UInt8

  /// The session continues after the command.
  static let continues = Self(rawValue: 0x01)
  /// The first parameter of the command is encrypted.
  static let decrypt = Self(rawValue: 0x20)
  /// The first parameter of the response is encrypted.
  static let encrypt = Self(rawValue: 0x40)
  static let audit = Self(rawValue: 0x80)
}
