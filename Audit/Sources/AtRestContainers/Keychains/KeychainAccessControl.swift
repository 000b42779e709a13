import AtRestFormats

/// The access control of an item, which the attribute `accc` contains in DER: the conditions for
/// each operation.
enum KeychainAccessControl {
  /// The flags by their names in Apple's API, separated by spaces, or nil if there are none.
  ///
  /// The constraint of an operation contains `cpo` (the owner's presence), `cup` (the passcode) or
  /// `cbio` (biometry, limited to the enrolled set if it has `pbioc`), combined by `pkofn` (the
  /// number required).
  static func text(of bytes: [UInt8]) -> String? {
    guard let control = KeychainDER.value(of: bytes), let rules = control["acl"]?.entries else {
      return nil
    }
    var flags: [String] = []
    func add(_ flag: String) {
      if !flags.contains(flag) { flags.append(flag) }
    }
    for rule in rules {
      switch rule.key {
      case "osgn": add("kSecAccessControlPrivateKeyUsage")
      case "prp": add("kSecAccessControlApplicationPassword")
      default: break
      }
      for constraint in rule.node.entries ?? [] { describe(constraint, add) }
    }
    return flags.isEmpty ? nil : flags.joined(separator: " ")
  }

  private static func describe(_ constraint: PropertyList.Entry, _ add: (String) -> Void) {
    switch constraint.key {
    case "cpo": add("kSecAccessControlUserPresence")
    case "cup": add("kSecAccessControlDevicePasscode")
    case "cbio":
      let isOfSet = constraint.node["pbioc"] != nil
      add("kSecAccessControlBiometry\(isOfSet ? "CurrentSet" : "Any")")
    case "pkofn":
      if case .integer(1) = constraint.node.value {
        add("kSecAccessControlOr")
      } else {
        add("kSecAccessControlAnd")
      }
    case "prp": add("kSecAccessControlApplicationPassword")
    default: break
    }
  }
}
