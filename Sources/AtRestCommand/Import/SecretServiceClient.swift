@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
import Foundation

/// A Secret Service, as its client sees it.
///
/// Secrets pass as they are (the session `plain`): to the agent over its own socket, and from a keyring over the user's
/// bus, where another program of the user could ask for them just as well.
struct SecretServiceClient {
  private static let name = "org.freedesktop.secrets"
  private static let root = "/org/freedesktop/secrets"
  private static let interface = "org.freedesktop.Secret."

  /// An item without its secret.
  struct Item {
    let path: String
    /// The name of the collection, from its path.
    let collection: String
    let label: String
    let attributes: [String: String]

    /// The attributes in one line.
    var words: String {
      attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        .joined(separator: " ").printable
    }
  }

  /// A secret, and the type of its content.
  struct Secret: Equatable {
    let bytes: BusBytes
    let contentType: String
  }

  private let bus: BusClient
  private let session: String

  /// Connects to the service on a bus.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if no program on the bus is a Secret Service; the errors of a connection.
  init(_ address: String) throws {
    bus = try BusClient(to: address)
    let answer = try bus.call(
      "OpenSession", at: Self.root, Self.interface + "Service", of: Self.name,
      [.text("plain"), .variant(.text(""))])
    guard answer.count == 2, let path = answer[1].string else { throw BusError.malformed }
    session = path
  }

  private func call(
    _ member: String, at path: String, _ kind: String, _ arguments: [BusValue] = []
  ) throws -> [BusValue] {
    try bus.call(member, at: path, Self.interface + kind, of: Self.name, arguments)
  }

  private func property(_ property: String, _ path: String, _ kind: String) throws -> BusValue {
    try bus.property(property, at: path, Self.interface + kind, of: Self.name)
  }

  // MARK: Reading

  /// Returns all items, and the labels of collections that are locked.
  func items() throws -> (items: [Item], locked: [String]) {
    var (items, locked) = ([Item](), [String]())
    for path in strings(try property("Collections", Self.root, "Service")) {
      let label = try property("Label", path, "Collection").string ?? ""
      if try property("Locked", path, "Collection").flag == true, try !unlock(path) {
        locked.append(label.isEmpty ? path : label.printable)
        continue
      }
      for item in strings(try property("Items", path, "Collection")) {
        let attributes = try property("Attributes", item, "Item").dictionary ?? [:]
        items.append(
          Item(
            path: item, collection: Self.name(ofCollection: path),
            label: try property("Label", item, "Item").string ?? "",
            attributes: attributes.compactMapValues(\.string)))
      }
    }
    return (items, locked)
  }

  /// Asks the keyring to unlock a collection. Returns false if its user refuses.
  private func unlock(_ path: String) throws -> Bool {
    let answer = try call("Unlock", at: Self.root, "Service", [.paths([path])])
    guard answer.count == 2, let prompt = answer[1].string else { throw BusError.malformed }
    guard prompt != "/" else { return !strings(answer[0]).isEmpty }
    let result = try bus.signal("Completed", at: prompt) {
      _ = try call("Prompt", at: prompt, "Prompt", [.text("")])
    }
    return result.first?.flag == false
  }

  /// Returns the secret of the item with a path.
  func secret(at path: String) throws -> Secret {
    let answer = try call("GetSecret", at: path, "Item", [.path(session)])
    guard let fields = answer.first?.elements, fields.count == 4, let bytes = fields[2].content
    else { throw BusError.malformed }
    return Secret(bytes: bytes, contentType: fields[3].string ?? "text/plain")
  }

  private func strings(_ value: BusValue) -> [String] {
    (value.elements ?? []).compactMap(\.string)
  }

  private static func name(ofCollection path: String) -> String {
    BusPath.name(path.split(separator: "/").last ?? "")
  }

  // MARK: Writing

  /// The result of adding an item.
  enum Addition {
    case added
    /// There is an item with the same attributes and the same secret.
    case isThere
    /// There is an item with the same attributes and another secret.
    case differs
  }

  /// Adds an item, unless there is one with the same attributes. Makes its collection if it does not exist.
  func add(_ item: Item, _ secret: Secret) throws -> Addition {
    let collection = try collection(item)
    let found = try call(
      "SearchItems", at: collection, "Collection", [.attributes(item.attributes)])
    for path in found.first.map(strings) ?? [] {
      let attributes = try property("Attributes", path, "Item").dictionary ?? [:]
      guard attributes.compactMapValues(\.string) == item.attributes else { continue }
      return try self.secret(at: path).bytes == secret.bytes ? .isThere : .differs
    }
    _ = try call(
      "CreateItem", at: collection, "Collection",
      [
        .properties([
          Self.interface + "Item.Label": .text(item.label),
          Self.interface + "Item.Attributes": .attributes(item.attributes),
        ]),
        .structure([
          .path(session), .bytes([]), .bytes(secret.bytes), .text(secret.contentType),
        ]), .boolean(false),
      ])
    return .added
  }

  private func collection(_ item: Item) throws -> String {
    for path in strings(try property("Collections", Self.root, "Service"))
    where Self.name(ofCollection: path) == item.collection { return path }
    let made = try call(
      "CreateCollection", at: Self.root, "Service",
      [.properties([Self.interface + "Collection.Label": .text(item.collection)]), .text("")])
    guard let path = made.first?.string, path != "/" else { throw BusError.malformed }
    return path
  }
}
