import AtRestCrypto
import AtRestKeychain
import Foundation

/// What the dictionary of a `SecItem…` call says, with every value of the type that it must have.
struct ItemRequest {
  /// Which dictionary it is: some keys are for some calls only.
  enum Role {
    case add, copy, update, delete
    /// The second dictionary of an update.
    case changes
  }

  /// What the caller wants back.
  struct Returns: OptionSet {
    let rawValue: UInt8
    static let data = Returns(rawValue: 1)
    static let attributes = Returns(rawValue: 2)
    static let reference = Returns(rawValue: 4)
    static let persistentReference = Returns(rawValue: 8)
  }

  /// nil where a reference, or nothing, says what is meant.
  var itemClass: RequestedClass?
  var attributes = Attributes()
  /// Attributes that an update takes away.
  var removed: Set<Attribute> = []
  var accessibility: Accessibility?
  var accessControl: SecAccessControl?
  var group: String?
  var synchronizable: Query.Synchronizable?
  var value: Data?
  var reference: ItemReference?
  var persistentReference: PersistentItemReference?
  var returns: Returns = []
  /// nil where the request says nothing; 0 for all.
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
    // A quarter of the time of a loop over the dictionary.
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
    // Four letters are an attribute, whatever they say.
    if key.utf8.count == 4 {
      try setAttribute(key, value, role)
    } else {
      try setOption(key, value, role)
    }
  }

  /// What the user showed already, and how to ask for more: one for the whole call, so that nobody is
  /// asked twice.
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

  /// What the user showed when a key that was found is used, perhaps long after: without a context
  /// of the caller's each use asks anew.
  var contextOfUse: @Sendable () -> AuthenticationContext {
    guard contextHolder == nil else { return { [context] in context } }
    return { [reason = context.reason, interaction = context.interaction] in
      AuthenticationContext(reason: reason, interaction: interaction)
    }
  }

  /// How a new item is to be protected.
  func protection(default accessibility: Accessibility) -> Protection {
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
        guard case .number(let number) = try AttributeValue(any: value, for: .port) else {
          throw StatusError(errSecParam)
        }
        synchronizable = number == 0 ? .no : .yes
      }
    // The data protection keychain is the only one there is.
    case "nleg": _ = try boolean(value)
    default:
      let attribute = Attribute(rawValue: key)
      // The public half beside a private key is the store's own business.
      guard attribute.isKnown, attribute != .publicKey else { throw StatusError(errSecNoSuchAttr) }
      if role == .changes && value is NSNull {
        removed.insert(attribute)
      } else {
        attributes[attribute] = try AttributeValue(any: value, for: attribute)
      }
    }
  }

  private mutating func setOption(_ key: String, _ value: Any, _ role: Role) throws {
    // The second dictionary of an update says what becomes of the item, and nothing else.
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
    // To ignore a filter is to find what was not meant.
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
      // Every item comes back with both, and what came back finds it again. To set them they are too
      // many, but where they say the same.
      let isSetting = role == .add || role == .changes
      guard
        isSetting
          ? protection == .accessible(accessibility)
          : protection.accessibility == accessibility
      else { throw StatusError(errSecParam) }
    }
    // Returned with every item, this says of most only what `pdmn` does.
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
      // Where a key lives never changes.
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

/// The five classes that applications name; an identity is a certificate and a key.
enum RequestedClass: Equatable {
  case items(ItemClass)
  case identity

  init?(rawValue: String) {
    if let itemClass = ItemClass(rawValue: rawValue) {
      self = .items(itemClass)
    } else if rawValue == "idnt" {
      self = .identity
    } else {
      return nil
    }
  }
}

extension NSNumber {
  /// Whether the number is a Boolean: no other is made of a C `char`.
  var isBoolean: Bool { objCType.pointee == 0x63 }
}
