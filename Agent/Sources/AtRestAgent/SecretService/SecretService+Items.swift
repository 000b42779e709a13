@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation

/// An item of the Secret Service: a generic password whose service is the collection, with the client's attributes
/// as custom attributes.
struct SecretItem {
  let collection: String
  let number: UInt64

  init(_ collection: String, _ number: UInt64) {
    (self.collection, self.number) = (collection, number)
  }

  var path: SecretPath { .item(collection, number) }

  /// The attribute that has the type of the secret's content, such as `text/plain`.
  static let contentType = ItemAttribute.itemDescription
  static let defaultContentType = "text/plain; charset=utf8"
}

/// A secret that a client gave.
struct GivenSecret {
  let bytes: AgentSecret
  let contentType: String
}

/// An item that a client makes.
struct NewSecret {
  let label: String
  let attributes: [String: String]
  let secret: GivenSecret
}

/// Items.
extension SecretService {
  /// Returns the items of a collection that have some attributes, and whether they can be read.
  func search(
    _ attributes: [String: String], in collection: SecretCollection, by access: SecretAccess
  ) throws -> [(item: SecretPath, isReadable: Bool)] {
    try access.matches(of: Self.query(attributes, in: collection.name)).map {
      (.item(collection.name, $0.reference.number), $0.isReadable)
    }
  }

  private static func query(_ attributes: [String: String], in collection: String) -> KeychainQuery
  {
    KeychainQuery(
      .genericPassword, custom(attributes).merging([.service: .text(collection)]),
      group: AgentService.secretGroup)
  }

  private static func custom(_ attributes: [String: String]) -> ItemAttributes {
    var result = ItemAttributes()
    for (name, value) in attributes { result[.custom(name)] = .text(value) }
    return result
  }

  /// Returns the query that finds one item, if it is in its collection.
  private func query(for item: SecretItem) -> KeychainQuery {
    var query = Self.query([:], in: item.collection)
    query.reference = PersistentReference(genericPassword: item.number, in: service.identity)
    return query
  }

  private func read(
    _ item: SecretItem, secret: Bool, by access: SecretAccess
  ) throws -> KeychainItem {
    let answer = try access.perform(.items(.query(query(for: item)), secrets: secret))
    guard case .items(let items) = answer, let found = items.first else {
      throw BusFailure.noObject(item.path.text)
    }
    return found
  }

  func properties(of item: SecretItem, by access: SecretAccess) throws -> [String: BusValue] {
    do {
      let found = try read(item, secret: false, by: access)
      return [
        "Locked": .boolean(false), "Label": .text(found.attributes.label ?? ""),
        "Attributes": .attributes(found.customAttributes),
        "Created": .uint64(found.attributes.creationDate?.seconds ?? 0),
        "Modified": .uint64(found.attributes.modificationDate?.seconds ?? 0),
      ]
    } catch let error as AtRestError where error.code == .locked {
      // What identifies a locked item is readable only by hashes. That it is there is not withheld.
      return [
        "Locked": .boolean(true), "Label": .text(""), "Attributes": .attributes([:]),
        "Created": .uint64(0), "Modified": .uint64(0),
      ]
    }
  }

  // MARK: Methods

  func answerItem(_ request: SecretCall, _ item: SecretItem) throws -> Answer {
    switch request.member("Item") {
    case "GetSecret":
      let session = try request.arguments("o")[0]
      let transport = try request.client.transport(session.string ?? "")
      let (secret, _) = try secret(
        of: item, transport, session, by: request.access(service, writing: false))
      return Answer(body: [secret], isProtected: true)
    case "SetSecret":
      let secret = try given(request.arguments("(oayays)")[0], by: request.client)
      try update(
        item, label: nil, attributes: nil, secret: secret,
        by: request.access(service, writing: true))
      return Answer()
    case "Delete":
      _ = try request.arguments("")
      let access = try request.access(service, writing: true)
      // Clients are told of the lists of items in the order of the changes.
      try making.withLock { _ in
        guard try access.count(.delete(.query(query(for: item)))) > 0 else {
          throw BusFailure.noObject(item.path.text)
        }
        announce("ItemDeleted", item, by: access)
      }
      return Answer(body: [Self.noPrompt])
    default: throw request.unknownMethod
    }
  }

  /// Returns the secret of an item, as a structure of D-Bus, and its size in bytes.
  func secret(
    of item: SecretItem, _ transport: SecretTransport, _ session: BusValue, by access: SecretAccess
  ) throws -> (BusValue, Int) {
    let found = try read(item, secret: true, by: access)
    let sealed = try found.withSecret { try transport.seal($0) }
    let (parameters, value) =
      try sealed ?? transport.seal(UnsafeRawBufferPointer(start: nil, count: 0))
    let type = found.attributes[SecretItem.contentType]?.text
    let secret = BusValue.structure([
      session, parameters, value, .text(type ?? SecretItem.defaultContentType),
    ])
    return (secret, value.content?.count ?? 0)
  }

  /// Returns the secret in a structure of D-Bus.
  func given(_ value: BusValue, by client: SecretClient) throws -> GivenSecret {
    guard let fields = value.elements, fields.count == 4, let parameters = fields[1].content,
      let sealed = fields[2].content
    else { throw BusFailure.arguments("(oayays)") }
    let transport = try client.transport(fields[0].string ?? "")
    return GivenSecret(
      bytes: AgentSecret(try transport.open(sealed, parameters)),
      contentType: fields[3].string ?? SecretItem.defaultContentType)
  }

  /// Adds an item.
  ///
  /// - Parameter isReplacing: True to change the item with the same attributes, if there is one.
  func add(
    _ new: NewSecret, to collection: SecretCollection, replacing isReplacing: Bool,
    by access: SecretAccess
  ) throws -> SecretPath {
    return try making.withLock { _ in
      // It may have been deleted since the call began.
      _ = try self.collection(collection.name)
      if isReplacing, let item = try same(as: new, in: collection, by: access) {
        try update(
          item, label: new.label, attributes: nil, secret: new.secret, by: access)
        return item.path
      }
      let key = PrimaryKey.genericPassword(
        service: collection.name, account: UUID().uuidString.lowercased(),
        group: AgentService.secretGroup)
      var attributes = Self.custom(new.attributes)
      attributes[.label] = .text(new.label)
      attributes[SecretItem.contentType] = .text(new.secret.contentType)
      let isSession = collection.name == SecretCollection.session.name
      let answer = try access.perform(
        .add(
          key, attributes, .accessible(isSession ? .whenUnlockedThisDeviceOnly : .whenUnlocked),
          secret: new.secret.bytes))
      guard case .items(let items) = answer, let added = items.first else {
        throw BusFailure.noObject(collection.path.text)
      }
      let item = SecretItem(collection.name, added.reference.number)
      announce("ItemCreated", item, by: access)
      return item.path
    }
  }

  /// Returns the item with exactly the attributes of a new one.
  private func same(
    as new: NewSecret, in collection: SecretCollection, by access: SecretAccess
  ) throws -> SecretItem? {
    for match in try access.matches(of: Self.query(new.attributes, in: collection.name)) {
      let item = SecretItem(collection.name, match.reference.number)
      // It has all attributes, byte by byte, so their number decides. A locked item may be the one, so it is not
      // passed over.
      if try read(item, secret: false, by: access).customAttributes.count == new.attributes.count {
        return item
      }
    }
    return nil
  }

  /// Changes an item.
  func update(
    _ item: SecretItem, label: String?, attributes: [String: String]?, secret: GivenSecret?,
    by access: SecretAccess
  ) throws {
    var change = ItemChange()
    if let label { change.attributes[.label] = .text(label) }
    if let secret { change.attributes[SecretItem.contentType] = .text(secret.contentType) }
    if let attributes {
      let former = try read(item, secret: false, by: access).customAttributes
      change.attributes = change.attributes.merging(Self.custom(attributes))
      change.removed = Set(
        former.keys.filter { attributes[$0] == nil }.map { ItemAttribute.custom($0) })
    }
    let count = try access.count(
      .update(.query(query(for: item)), change, secret: secret?.bytes))
    guard count > 0 else { throw BusFailure.noObject(item.path.text) }
    announce("ItemChanged", item)
  }
}

extension KeychainItem {
  /// The attributes that a client of the Secret Service gave.
  var customAttributes: [String: String] {
    var result: [String: String] = [:]
    for (attribute, value) in attributes {
      if let name = attribute.customName { result[name] = value.text ?? "" }
    }
    return result
  }
}
