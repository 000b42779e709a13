import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// The parsed dictionary of a `SecItem…` call, in which every value has the required type.
struct ItemRequest {
  /// The purpose of the dictionary. Some keys are valid only for some purposes.
  enum Role {
    case add, copy, update, delete
    /// The second dictionary of an update.
    case changes
  }

  /// The kinds of results that the caller requests.
  struct Returns: OptionSet {
    let rawValue: UInt8
    static let data = Returns(rawValue: 1)
    static let attributes = Returns(rawValue: 2)
    static let reference = Returns(rawValue: 4)
    static let persistentReference = Returns(rawValue: 8)
  }

  /// The class that the dictionary names, or nil if it names none. A reference may imply the class.
  var itemClass: RequestedClass?
  var attributes = ItemAttributes()
  var accessibility: Accessibility?
  var accessControl: SecAccessControl?
  var group: String?
  var synchronizable: KeychainQuery.Synchronizable?
  var value: Data?
  var reference: ItemReference?
  var persistentReference: PersistentItemReference?
  var returns: Returns = []
  /// The maximum number of results. 0 means all, and nil means that the dictionary does not contain
  /// a limit.
  var limit: Int?
  var filter = ItemFilter()
  var items: [Any]?
  private var reason: String?
  private(set) var interaction: AuthenticationContext.Interaction?
  private var forbidsInteraction = false
  private(set) var contextHolder: (any AuthenticationContextHolder)?

  /// Reads a dictionary.
  ///
  /// - Throws: ``StatusError``.
  init(_ dictionary: CFDictionary?, as role: Role) throws {
    guard let dictionary else { throw StatusError(errSecParam, "The dictionary is missing.") }
    var refusal: (any Error)?
    // This takes a quarter of the time of a loop over the dictionary.
    dictionary.enumerateKeysAndObjects(options: []) { key, value, stop in
      do {
        try set(key, value, role)
      } catch {
        refusal = error
        stop.pointee = true
      }
    }
    if let refusal { throw refusal }
    // The newer key decides, if there are both.
    if forbidsInteraction && interaction == nil { interaction = .forbidden }
    try check(role)
    guard role != .changes else { return }
    context =
      contextHolder?.authenticationContext(reason: reason, interaction: interaction) ?? newContext
  }

  private mutating func set(_ key: Any, _ value: Any, _ role: Role) throws {
    guard let key = key as? String else {
      // A number stands for an attribute, but no attribute has a number.
      throw StatusError(
        key is NSNumber ? errSecNoSuchAttr : errSecParam, "The key \(key) is not a string.")
    }
    // A key of four letters is always an attribute.
    if key.utf8.count == 4 {
      try setAttribute(key, value, role)
    } else {
      try setOption(key, value, role)
    }
  }

  /// The user's authentication so far, and the way to ask for more.
  ///
  /// The whole call uses one context, so the user is not asked twice.
  private(set) var context = Self.noContext

  private static let noContext: AuthenticationContext = {
    let context = AuthenticationContext()
    context.invalidate()
    return context
  }()

  private var newContext: AuthenticationContext {
    AuthenticationContext(
      reason: reason ?? "Access a secret", interaction: interaction ?? .allowed)
  }

  /// A closure that returns the context for a use of a key that the call found. The application may
  /// use the key much later.
  ///
  /// If the caller passed no context, the closure returns a new one each time, and each use asks
  /// the user again.
  var contextOfUse: @Sendable () -> AuthenticationContext {
    guard contextHolder == nil else { return { [context] in context } }
    return { [reason = context.reason, interaction = context.interaction] in
      AuthenticationContext(reason: reason, interaction: interaction)
    }
  }

  /// Returns the protection of a new item.
  func protection(default accessibility: Accessibility) -> ItemProtection {
    accessControl?.protection ?? .accessible(self.accessibility ?? accessibility)
  }

  // MARK: Reading

  private mutating func setAttribute(_ key: String, _ value: Any, _ role: Role) throws {
    switch key {
    case "agrp": group = try Self.text(value, key)
    case "pdmn":
      guard let known = Accessibility(rawValue: try Self.text(value, key)) else {
        throw StatusError(
          errSecParam, "The value of pdmn is none of the kSecAttrAccessible constants.")
      }
      accessibility = known
    case "accc":
      guard let control = value as? SecAccessControl else {
        throw Self.wrongType(value, key, "a SecAccessControl")
      }
      accessControl = control
    case "sync":
      if (value as? String) == "syna" {
        synchronizable = role == .add || role == .changes ? synchronizable : .any
      } else {
        guard case .number(let number) = try ItemAttributeValue(any: value, for: .port) else {
          throw Self.wrongType(value, key, "a Boolean")
        }
        synchronizable = number == 0 ? .no : .yes
      }
    // The data protection keychain is the only keychain.
    case "nleg": break
    case "clip": throw StatusError(errSecParam, "The attribute clip belongs to the keychain.")
    default:
      let attribute = ItemAttribute(rawValue: key)
      // The public key that is stored with a private key is internal to the store.
      guard attribute.isKnown, attribute != .publicKey else {
        throw StatusError(errSecNoSuchAttr, "No class of items has an attribute \(key).")
      }
      let given = try ItemAttributeValue(any: value, for: attribute)
      // A certificate's name comes as it is in the certificate, or as the keychain stores it.
      if attribute == .issuer, case .data(let name) = given,
        let name = DistinguishedName(der: name)
      {
        attributes[attribute] = .data(name.normalized)
      } else {
        attributes[attribute] = given
      }
    }
  }

  private mutating func setOption(_ key: String, _ value: Any, _ role: Role) throws {
    guard role != .changes || key == "v_Data" else {
      throw StatusError(
        errSecNoSuchAttr,
        "The second dictionary of an update contains only attributes and kSecValueData, not \(key)."
      )
    }
    switch key {
    case "class":
      guard let name = value as? String else { throw Self.wrongType(value, key, "a string") }
      guard let named = RequestedClass(rawValue: name), itemClass ?? named == named else {
        throw StatusError(
          errSecNoSuchClass, "The class is none of the kSecClass constants, or a second one.")
      }
      itemClass = named
    case "v_Data": self.value = try data(value, key)
    case "v_Ref":
      guard let reference = ItemReference(value) else {
        throw Self.wrongType(value, key, "a SecKey, SecCertificate or SecIdentity")
      }
      self.reference = reference
    case "v_PersistentRef":
      guard let reference = PersistentItemReference(data: try data(value, key)) else {
        throw StatusError(errSecParam, "The data of v_PersistentRef is not a persistent reference.")
      }
      persistentReference = reference
    case "r_Data": try setReturn(.data, value, key)
    case "r_Attributes": try setReturn(.attributes, value, key)
    case "r_Ref": try setReturn(.reference, value, key)
    case "r_PersistentRef": try setReturn(.persistentReference, value, key)
    default:
      if key.hasPrefix("m_") {
        try setMatch(key, value)
      } else if key.hasPrefix("u_") {
        try setUse(key, value)
      } else if !key.hasPrefix("f") {
        throw StatusError(errSecParam, "The key \(key) is unknown.")
      }
    }
  }

  private mutating func setReturn(_ kind: Returns, _ value: Any, _ key: String) throws {
    if try boolean(value, key) { returns.insert(kind) } else { returns.remove(kind) }
  }

  private mutating func setMatch(_ key: String, _ value: Any) throws {
    guard key == "m_Limit" else { return try filter.set(key, value) }
    switch value {
    case let word as String where word == "m_LimitOne": limit = 1
    case let word as String where word == "m_LimitAll": limit = 0
    // -1 is the number that stands for all.
    case let number as NSNumber where !number.isBoolean && number.intValue >= -1:
      guard number.intValue != 0 else {
        throw StatusError(errSecItemNotFound, "The value of m_Limit is 0.")
      }
      limit = max(number.intValue, 0)
    default:
      throw StatusError(
        errSecParam, "The value of m_Limit is neither a limit nor a number above 0.")
    }
  }

  private mutating func setUse(_ key: String, _ value: Any) throws {
    switch key {
    case "u_OpPrompt": reason = value as? String
    case "u_AuthCtx":
      guard let holder = value as? any AuthenticationContextHolder else {
        throw Self.wrongType(value, key, "an LAContext")
      }
      contextHolder = holder
    case "u_AuthUI":
      switch value as? String {
      case "u_AuthUIF": interaction = .forbidden
      case "u_AuthUIS": interaction = .skip
      default: interaction = .allowed
      }
    case "u_NoAuthUI":
      // A number or text is not true, as in Apple's sources.
      forbidsInteraction = (value as? NSNumber).map { $0.isBoolean && $0.boolValue } ?? false
    case "u_ItemList":
      guard let items = value as? [Any] else { throw Self.wrongType(value, key, "an array") }
      self.items = items
    default: throw StatusError(errSecParam, "The key \(key) is unknown.")
    }
  }

  // MARK: Values

  /// Returns a value that is a string, or data in UTF-8.
  static func text(_ value: Any, _ key: String) throws -> String {
    if let text = value as? String { return text }
    if let data = value as? Data, let text = String(validating: data, as: UTF8.self) {
      return text
    }
    if let number = value as? NSNumber { _ = try ItemAttributeValue.whole(number, key) }
    throw wrongType(value, key, "a string")
  }

  private func data(_ value: Any, _ key: String) throws -> Data {
    guard let data = value as? Data else { throw Self.wrongType(value, key, "data") }
    return data
  }

  private func boolean(_ value: Any, _ key: String) throws -> Bool {
    guard let number = value as? NSNumber, number.isBoolean else {
      throw Self.wrongType(value, key, "a Boolean")
    }
    return number.boolValue
  }

  /// Returns the error for a value of a wrong type. The value is not part of the message, because it
  /// may be a secret.
  static func wrongType(_ value: Any, _ key: String, _ wanted: String) -> StatusError {
    let isBoolean = (value as? NSNumber)?.isBoolean == true
    return StatusError(
      errSecParam,
      "The value of \(key) is not \(wanted), but \(isBoolean ? "a Boolean" : "\(type(of: value))")."
    )
  }
}

extension NSNumber {
  /// True if the number is a Boolean. Booleans are the only numbers that are created from a C
  /// `char`.
  var isBoolean: Bool { objCType.pointee == 0x63 }
}
