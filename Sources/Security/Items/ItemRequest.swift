import AtRestCrypto
import AtRestKeychain
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
  /// The attributes that an update removes.
  var removed: Set<ItemAttribute> = []
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
  var issuers: [Data]?
  var items: [Any]?
  private var reason: String?
  private var interaction: AuthenticationContext.Interaction?
  private var contextHolder: (any AuthenticationContextHolder)?

  /// Reads a dictionary.
  ///
  /// - Throws: ``StatusError``.
  init(_ dictionary: CFDictionary?, as role: Role) throws {
    guard let dictionary else { throw StatusError(errSecParam) }
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
    try check(role)
    guard role != .changes else { return }
    context =
      contextHolder?.authenticationContext(reason: reason, interaction: interaction) ?? newContext
  }

  private mutating func set(_ key: Any, _ value: Any, _ role: Role) throws {
    guard let key = key as? String else { throw StatusError(errSecParam) }
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
    case "agrp": group = try text(value)
    case "pdmn":
      guard let known = Accessibility(rawValue: try text(value)) else {
        throw StatusError(errSecParam)
      }
      accessibility = known
    case "accc":
      guard let control = value as? SecAccessControl else { throw StatusError(errSecParam) }
      accessControl = control
    case "sync":
      if (value as? String) == "syna" {
        synchronizable = role == .add || role == .changes ? synchronizable : .any
      } else {
        guard case .number(let number) = try ItemAttributeValue(any: value, for: .port) else {
          throw StatusError(errSecParam)
        }
        synchronizable = number == 0 ? .no : .yes
      }
    // The data protection keychain is the only keychain.
    case "nleg": _ = try boolean(value)
    default:
      let attribute = ItemAttribute(rawValue: key)
      // The public key that is stored with a private key is internal to the store.
      guard attribute.isKnown, attribute != .publicKey else { throw StatusError(errSecNoSuchAttr) }
      if role == .changes && value is NSNull {
        removed.insert(attribute)
      } else {
        attributes[attribute] = try ItemAttributeValue(any: value, for: attribute)
      }
    }
  }

  private mutating func setOption(_ key: String, _ value: Any, _ role: Role) throws {
    // The second dictionary of an update may contain only attributes and the value.
    guard role != .changes || key == "v_Data" else { throw StatusError(errSecParam) }
    switch key {
    case "class":
      guard let name = value as? String else { throw StatusError(errSecParam) }
      guard let named = RequestedClass(rawValue: name), itemClass ?? named == named else {
        throw StatusError(errSecNoSuchClass)
      }
      itemClass = named
    case "v_Data": self.value = try data(value)
    case "v_Ref":
      guard let reference = ItemReference(value) else { throw StatusError(errSecParam) }
      self.reference = reference
    case "v_PersistentRef":
      guard let reference = PersistentItemReference(data: try data(value)) else {
        throw StatusError(errSecParam)
      }
      persistentReference = reference
    case "r_Data": try setReturn(.data, value)
    case "r_Attributes": try setReturn(.attributes, value)
    case "r_Ref": try setReturn(.reference, value)
    case "r_PersistentRef": try setReturn(.persistentReference, value)
    default:
      if key.hasPrefix("m_") {
        try setMatch(key, value)
      } else if key.hasPrefix("u_") {
        try setUse(key, value)
      } else if !key.hasPrefix("f") {
        throw StatusError(errSecParam)
      }
    }
  }

  private mutating func setReturn(_ kind: Returns, _ value: Any) throws {
    if try boolean(value) { returns.insert(kind) } else { returns.remove(kind) }
  }

  private mutating func setMatch(_ key: String, _ value: Any) throws {
    switch key {
    case "m_Limit":
      if let word = value as? String {
        switch word {
        case "m_LimitOne": limit = 1
        case "m_LimitAll": limit = 0
        default: throw StatusError(errSecParam)
        }
      } else if let number = value as? NSNumber, !number.isBoolean, number.intValue > 0 {
        limit = number.intValue
      } else {
        throw StatusError(errSecParam)
      }
    case "m_Issuers":
      guard let issuers = value as? [Data] else { throw StatusError(errSecParam) }
      self.issuers = issuers.map { DistinguishedName(der: $0)?.normalized ?? $0 }
    // Ignoring a filter would find items that the caller excluded.
    case "m_TrustedOnly", "m_CaseInsensitive", "m_DiacriticInsensitive", "m_WidthInsensitive":
      if try boolean(value) { throw StatusError(errSecUnimplemented) }
    case "m_ItemList": throw StatusError(errSecParam)
    default: throw StatusError(errSecUnimplemented)
    }
  }

  private mutating func setUse(_ key: String, _ value: Any) throws {
    switch key {
    case "u_OpPrompt": reason = try text(value)
    case "u_AuthCtx":
      guard let holder = value as? any AuthenticationContextHolder else {
        throw StatusError(errSecParam)
      }
      contextHolder = holder
    case "u_AuthUI":
      switch try text(value) {
      case "u_AuthUIF": interaction = .forbidden
      case "u_AuthUIS": interaction = .skip
      case "u_AuthUIA": interaction = .allowed
      default: throw StatusError(errSecParam)
      }
    case "u_NoAuthUI": if try boolean(value) { interaction = .forbidden }
    case "u_ItemList":
      guard let items = value as? [Any] else { throw StatusError(errSecParam) }
      self.items = items
    default: throw StatusError(errSecParam)
    }
  }

  // MARK: Checking

  private func check(_ role: Role) throws {
    if let protection = accessControl?.protection, let accessibility {
      // The attributes of every returned item include both an accessibility and an access control.
      // A query that contains both finds the item again. A call that sets attributes may contain
      // both only if they mean the same.
      let isSetting = role == .add || role == .changes
      guard
        isSetting
          ? protection == .accessible(accessibility)
          : protection.accessibility == accessibility
      else { throw StatusError(errSecParam) }
    }
    // Every item is returned with an access control, which for most items only repeats the
    // accessibility. Only an access control with flags excludes synchronization.
    if accessControl?.protection.accessControl != nil && synchronizable == .yes
      && (role == .add || role == .changes)
    {
      throw StatusError(errSecParam)
    }
    if interaction == .skip && role != .copy { throw StatusError(errSecParam) }
    if items != nil && role != .add { throw StatusError(errSecParam) }
    switch role {
    case .add:
      guard persistentReference == nil, limit == nil else { throw StatusError(errSecParam) }
      guard itemClass != nil || reference != nil || items != nil else {
        throw StatusError(errSecParam)
      }
    case .copy:
      if persistentReference != nil && hasAttributes { throw StatusError(errSecParam) }
    case .update:
      guard returns.isEmpty, limit == nil else { throw StatusError(errSecParam) }
      if persistentReference != nil && hasAttributes { throw StatusError(errSecParam) }
    case .delete:
      guard limit == nil, issuers == nil else { throw StatusError(errSecParam) }
      if persistentReference != nil && hasAttributes { throw StatusError(errSecParam) }
    case .changes:
      // The token that holds a key never changes.
      if attributes[.tokenID] != nil || removed.contains(.tokenID) {
        throw StatusError(errSecParam)
      }
      return
    }
    guard itemClass != nil || reference != nil || persistentReference != nil || items != nil else {
      throw StatusError(errSecParam)
    }
  }

  private var hasAttributes: Bool {
    attributes.count > 0 || group != nil || synchronizable != nil || accessibility != nil
      || accessControl != nil || reference != nil
  }

  // MARK: Values

  private func text(_ value: Any) throws -> String {
    guard let text = value as? String else { throw StatusError(errSecParam) }
    return text
  }

  private func data(_ value: Any) throws -> Data {
    guard let data = value as? Data else { throw StatusError(errSecParam) }
    return data
  }

  private func boolean(_ value: Any) throws -> Bool {
    guard let number = value as? NSNumber, number.isBoolean else {
      throw StatusError(errSecParam)
    }
    return number.boolValue
  }
}

extension NSNumber {
  /// True if the number is a Boolean. Booleans are the only numbers that are created from a C
  /// `char`.
  var isBoolean: Bool { objCType.pointee == 0x63 }
}
