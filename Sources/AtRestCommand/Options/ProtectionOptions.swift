import ArgumentParser
import AtRestCrypto
import AtRestKeychain

extension Accessibility: ExpressibleByArgument {
  /// Creates an accessibility from its name on the command line, or returns nil for an unknown
  /// name.
  public init?(argument: String) { self.init(name: argument) }
  public static var allValueStrings: [String] { allCases.map(\.name) }
  public static var allValueDescriptions: [String: String] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0.summary) })
  }

  /// When an item is readable, for help.
  private var summary: String {
    switch self {
    case .whenUnlocked: "while the store is unlocked"
    case .afterFirstUnlock: "from the first unlock on, also when locked again"
    case .always: "always; only the device key protects the item"
    case .whenUnlockedThisDeviceOnly: "while unlocked, never on another device"
    case .afterFirstUnlockThisDeviceOnly: "from the first unlock on, never on another device"
    case .alwaysThisDeviceOnly: "always, never on another device"
    case .whenPasscodeSetThisDeviceOnly:
      "while unlocked, in no backup; deleted with the passcode"
    }
  }
  public var defaultValueDescription: String { name }
}

/// The protection of an item: when it can be read, and by whom.
struct ProtectionOptions: ParsableArguments {
  @Option(help: "When the item can be read. (default for a new item: when-unlocked)")
  var accessible: Accessibility?

  @Option(
    help: """
      The authentication required to read the item. Values that require biometry are refused, because \
      the command has no reader for it.
      """)
  var access: AccessName?

  /// Refuses an access control that requires biometry, before the user is asked for anything: the
  /// command and the agent have no reader for a finger or face.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted``.
  func checkAccess() throws {
    guard let access, access.needsBiometry else { return }
    throw AtRestError(
      .notPermitted,
      "Nobody could ever read the item: \(access.rawValue) requires biometry, and this program has "
        + "no reader for it.",
      remedy: "Use \(AccessName.userPresence.rawValue), \(AccessName.passcode.rawValue) or "
        + "\(AccessName.passcodeOrBiometry.rawValue).")
  }

  /// True if any of the options was used.
  var isGiven: Bool { accessible != nil || access != nil }

  func protection(
    applicationPassword: Bool, over before: ItemProtection = .whenUnlocked
  ) -> ItemProtection {
    let accessibility = accessible ?? before.accessibility
    let requirement = access?.requirement ?? before.accessControl?.requirement
    let usage = before.accessControl?.privateKeyUsage ?? false
    if let requirement {
      return .controlled(
        AccessControl(
          accessibility, requirement, applicationPassword: applicationPassword,
          privateKeyUsage: usage))
    }
    guard !applicationPassword else {
      return .controlled(.applicationPassword(accessibility, privateKeyUsage: usage))
    }
    return usage ? .controlled(.privateKeyUsage(accessibility)) : .accessible(accessibility)
  }
}
