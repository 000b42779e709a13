@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// A collection of the Secret Service.
struct SecretCollection {
  let name: String
  var label: String
  var created: Date
  var modified: Date

  var path: SecretPath { .collection(name) }

  /// The collection in which items are stored if none is named. It always exists.
  static let login = SecretCollection(
    name: "login", label: "Login", created: .init(timeIntervalSince1970: 0),
    modified: .init(timeIntervalSince1970: 0))
  /// The collection of items that the agent deletes when it starts and ends. It always exists.
  static let session = SecretCollection(
    name: "session", label: "Session", created: .init(timeIntervalSince1970: 0),
    modified: .init(timeIntervalSince1970: 0))
  /// The servers of the internet passwords without a secret that stand for collections and aliases. They have no
  /// secret and are readable while the store is locked, so a locked collection is never missing.
  static let server = "secret-service.collection"
  static let aliasServer = "secret-service.alias"
  // atrest:ignore keychain-accessible-always a name without a secret, which is not missing while the store is locked
  static let protection = ItemProtection.accessible(.always)

  static func key(_ name: String, server: String = server) -> PrimaryKey {
    .internetPassword(server: server, account: name, group: AgentService.secretGroup)
  }
}

/// Collections and aliases.
extension SecretService {
  /// Returns all collections, in the order of their names.
  ///
  /// Every program of the user may know them, also while the store is locked.
  func collections() throws -> [SecretCollection] {
    let fixed = [SecretCollection.login, .session]
    var found = try markers(SecretCollection.server).map { item in
      SecretCollection(
        name: item.attributes.account ?? "", label: item.attributes.label ?? "",
        created: item.attributes.creationDate ?? Date(timeIntervalSince1970: 0),
        modified: item.attributes.modificationDate ?? Date(timeIntervalSince1970: 0))
    }
    for collection in fixed where !found.contains(where: { $0.name == collection.name }) {
      found.append(collection)
    }
    return found.sorted { $0.name < $1.name }
  }

  /// Returns the collections to which aliases lead.
  func aliases() throws -> [String: String] {
    var aliases = [
      "default": SecretCollection.login.name, "session": SecretCollection.session.name,
    ]
    for item in try markers(SecretCollection.aliasServer) {
      guard let alias = item.attributes.account, let name = item.attributes.label else { continue }
      aliases[alias] = name
    }
    return aliases
  }

  private func markers(_ server: String) throws -> [KeychainItem] {
    try service.keybag.checkStore()
    let items = try service.keychain(for: .owner()).items(
      matching: KeychainQuery(
        .internetPassword, [.server: .text(server)], group: AgentService.secretGroup))
    // A marker that cannot be read would be a collection that is missing.
    if let reason = items.withheld.first?.reason { throw reason }
    return Array(items)
  }

  /// Returns the collection with a name.
  ///
  /// - Throws: ``BusFailure`` if no collection has this name.
  func collection(_ name: String) throws -> SecretCollection {
    guard let found = try collections().first(where: { $0.name == name }) else {
      throw BusFailure.noObject(SecretPath.collection(name).text)
    }
    return found
  }

  /// Returns the collection to which an alias leads.
  func collection(alias: String) throws -> SecretCollection {
    guard let name = try aliases()[alias] else {
      throw BusFailure.noObject(SecretPath.alias(alias).text)
    }
    return try collection(name)
  }

  /// Makes a collection, and returns its name. If the alias leads to one already, that is returned.
  func createCollection(_ label: String, alias: String, by access: SecretAccess) throws -> String {
    try Self.check(label)
    try Self.check(alias)
    return try making.withLock { _ in
      if !alias.isEmpty, let known = try aliases()[alias] { return known }
      let taken = Set(try collections().map(\.name))
      let base = label.isEmpty ? "collection" : label
      var (name, number) = (base, 1)
      while taken.contains(name) {
        number += 1
        name = "\(base)_\(number)"
      }
      _ = try access.perform(
        .add(
          SecretCollection.key(name), [.label: .text(label)], SecretCollection.protection,
          secret: nil))
      if !alias.isEmpty { try setAlias(alias, SecretPath.collection(name).text, by: access) }
      announce("CollectionCreated", .collection(name))
      return name
    }
  }

  /// The size of the longest label of a collection or name of an alias. They are in the paths of signals.
  private static let longestName = 255

  private static func check(_ name: String) throws {
    guard name.utf8.count <= longestName else {
      throw BusFailure(
        BusHub.bus + ".Error.LimitsExceeded",
        "The name of a collection has at most \(longestName) bytes.")
    }
  }

  /// Sets the collection of an alias. The path `/` removes the alias.
  func setAlias(_ alias: String, _ path: String, by access: SecretAccess) throws {
    let key = SecretCollection.key(alias, server: SecretCollection.aliasServer)
    try Self.check(alias)
    guard alias != "session", path != "/" || alias != "default" else {
      throw BusFailure(
        BusHub.bus + ".Error.NotSupported", "The alias \(alias) always leads to a collection.")
    }
    guard path != "/" else {
      do {
        _ = try access.perform(.delete(.key(key)))
      } catch AtRestError.Code.notFound {
        // It leads nowhere already.
      }
      return
    }
    guard case .collection(let name)? = SecretPath(path) else { throw BusFailure.noObject(path) }
    _ = try collection(name)
    try setMarker(key, label: name, by: access)
  }

  func setLabel(_ label: String, of collection: SecretCollection, by access: SecretAccess) throws {
    try Self.check(label)
    try setMarker(SecretCollection.key(collection.name), label: label, by: access)
    announce("CollectionChanged", collection.path)
  }

  /// Sets the label of the item that stands for a collection or an alias, and adds it if it is missing.
  private func setMarker(_ key: PrimaryKey, label: String, by access: SecretAccess) throws {
    let attributes: ItemAttributes = [.label: .text(label)]
    do {
      _ = try access.perform(
        .update(.key(key), ItemChange(attributes: attributes), secret: nil))
    } catch AtRestError.Code.notFound {
      _ = try access.perform(
        .add(key, attributes, SecretCollection.protection, secret: nil))
    }
  }

  func properties(
    of collection: SecretCollection, withItems: Bool, for request: SecretCall
  ) throws -> [String: BusValue] {
    var properties: [String: BusValue] = [
      "Label": .text(collection.label), "Locked": .boolean(!service.isUnlocked),
      "Created": .uint64(collection.created.seconds),
      "Modified": .uint64(collection.modified.seconds),
    ]
    guard withItems else { return properties }
    // Before the first unlock, nobody knows which items a program may see: the refusal says so, and no list is empty.
    let items = try search([:], in: collection, by: request.access(service, writing: false)).map(
      \.item)
    properties["Items"] = .paths(items.map(\.text))
    request.client.note(knowsItemsOf: collection.name)
    return properties
  }

  // MARK: Methods

  func answerCollection(_ request: SecretCall, _ collection: SecretCollection) throws -> Answer {
    switch request.member("Collection") {
    case "SearchItems":
      let wanted = try request.attributes(in: request.arguments("a{ss}")[0])
      let found = try search(
        wanted, in: collection, by: request.access(service, writing: false))
      return Answer(body: [.paths(found.map(\.item.text))], isProtected: true)
    case "CreateItem":
      let arguments = try request.arguments("a{sv}(oayays)b")
      let properties = arguments[0].dictionary ?? [:]
      let new = NewSecret(
        label: properties[Self.interface + "Item.Label"]?.string ?? "",
        attributes: try request.attributes(in: properties[Self.interface + "Item.Attributes"]),
        secret: try given(arguments[1], by: request.client))
      let item = try add(
        new, to: collection, replacing: arguments[2].flag == true,
        by: request.access(service, writing: true))
      return Answer(body: [item.value, Self.noPrompt])
    case "Delete":
      _ = try request.arguments("")
      let access = try request.access(service, writing: true)
      try making.withLock { _ in try delete(collection, by: access) }
      return Answer(body: [Self.noPrompt])
    default: throw request.unknownMethod
    }
  }

  /// Deletes a collection. Its items go first, so no item is left without a collection.
  private func delete(_ collection: SecretCollection, by access: SecretAccess) throws {
    guard ![SecretCollection.login.name, SecretCollection.session.name].contains(collection.name)
    else {
      throw BusFailure(
        BusHub.bus + ".Error.NotSupported", "The collection \(collection.name) always exists.")
    }
    let items = KeychainQuery(
      .genericPassword, [.service: .text(collection.name)], group: AgentService.secretGroup)
    _ = try access.perform(.delete(.query(items)))
    for (alias, name) in try aliases() where name == collection.name {
      let key = SecretCollection.key(alias, server: SecretCollection.aliasServer)
      _ = try access.perform(.delete(.key(key)))
    }
    _ = try access.perform(.delete(.key(SecretCollection.key(collection.name))))
    announce("CollectionDeleted", collection.path)
  }
}

extension Date {
  /// The whole seconds since 1970.
  var seconds: UInt64 { UInt64(max(0, timeIntervalSince1970)) }
}
