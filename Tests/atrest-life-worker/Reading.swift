import AtRest
import AtRestCrypto
import AtRestDatabase
import AtRestEnvelopes
import AtRestFiles
import AtRestKeychain
import Crypto
import Foundation
import GRDB

/// Everything that a store protects, by name. What cannot be read is `!` and the code of the error.
struct Reading {
  private(set) var values: [String: String] = [:]

  init(_ opened: Opened) {
    readItems(opened)
    readKeys(opened)
    readFiles(opened)
    readStamps(opened)
    readEnvelopes(opened)
    for name in ["a", "b"] { readDatabase(name, opened) }
    readVault(opened)
    for name in opened.heldHandles {
      note("handle/\(name)") {
        let handle = try opened.handle(name)
        return Self.digest(try handle.read(upToCount: Int(handle.size()), at: 0))
      }
    }
  }

  static func digest(_ data: Data) -> String {
    let hash = SHA256.hash(data: data).prefix(8).map { String(format: "%02x", $0) }.joined()
    return "\(data.count) \(hash)"
  }

  private mutating func note(_ name: String, _ body: () throws -> String) {
    do {
      values[name] = try body()
    } catch {
      values[name] = "!\(Answer.code(error)) \(error)"
    }
  }

  // MARK: Items

  private mutating func readItems(_ opened: Opened) {
    for itemClass in [ItemClass.genericPassword, .internetPassword] {
      let items: KeychainItems
      do {
        items = try opened.keychain.items(matching: KeychainQuery(itemClass), secrets: true)
      } catch {
        values["items/\(itemClass)"] = "!\(Answer.code(error)) \(error)"
        continue
      }
      for (index, item) in items.withheld.enumerated() {
        values["withheld/\(itemClass)/\(index)"] =
          "!\(Answer.code(item.reason)) \(item.reason)"
      }
      for item in items {
        let attributes = item.attributes
        let owner = attributes.service ?? attributes.server ?? ""
        guard owner.hasPrefix("life") else { continue }
        note("item/\(owner)/\(attributes.account ?? "")") {
          let listed = item.withSecret { String(decoding: $0, as: UTF8.self) } ?? ""
          let single = String(copying: try opened.keychain.secret(for: item.primaryKey)) ?? ""
          guard single == listed else { return "two values: \(listed), \(single)" }
          return [
            item.protection.accessibility.name, item.group, attributes.label ?? "", listed,
          ].joined(separator: "|")
        }
      }
    }
  }

  private mutating func readKeys(_ opened: Opened) {
    let items: KeychainItems
    do {
      items = try opened.keychain.items(matching: KeychainQuery(.key))
    } catch {
      values["items/key"] = "!\(Answer.code(error)) \(error)"
      return
    }
    for (index, item) in items.withheld.enumerated() {
      values["withheld/key/\(index)"] = "!\(Answer.code(item.reason)) \(item.reason)"
    }
    for item in items {
      guard let tag = Self.tag(of: item), tag.hasPrefix("life") else { continue }
      note("key/\(tag)") {
        let key = try opened.keychain.publicKey(tag: tag)
        let message = Data(tag.utf8)
        let signature = try opened.keychain.sign(message, tag: tag)
        guard try key.isValidSignature(signature, for: message) else { return "a wrong signature" }
        return Self.digest(key.derRepresentation)
      }
    }
  }

  private static func tag(of item: KeychainItem) -> String? {
    switch item.attributes[.applicationTag] {
    case .text(let text): text
    case .data(let data): String(decoding: data, as: UTF8.self)
    default: nil
    }
  }

  // MARK: Files, stamps and envelopes

  private mutating func readFiles(_ opened: Opened) {
    for name in Place.names(in: opened.place.data.appendingPathComponent("files")) {
      note("file/\(name)") {
        let url = opened.place.file(name)
        // Opening finishes an interrupted change, which may be one of the class.
        let digest = Self.digest(try opened.files.read(url))
        return "\(try FileDescription(of: url).protection?.rawValue ?? "-")|\(digest)"
      }
      guard let readers = try? FileDescription(of: opened.place.file(name)).readers,
        readers.contains(where: { $0.kind == "recipient" }), let pair = opened.secondWayIn
      else { continue }
      note("second/\(name)") { Self.digest(try pair.read(opened.place.file(name))) }
    }
  }

  private mutating func readStamps(_ opened: Opened) {
    for name in Place.names(in: opened.place.data.appendingPathComponent("stamped")) {
      let url = opened.place.stamped(name)
      let place = URL(fileURLWithPath: url.path + ".stamp")
      guard FileManager.default.fileExists(atPath: place.path) else { continue }
      note("stamp/\(name)") {
        let key = try opened.keychain.secret(
          for: .genericPassword(service: "atrest.stamp", account: "life"))
        let stamp = try FileStamp(decoding: Data(contentsOf: place))
        try FileStampVerifier(hmacKey: key).check(url, against: stamp)
        return Self.digest(try Data(contentsOf: url))
      }
    }
  }

  private mutating func readEnvelopes(_ opened: Opened) {
    for name in Place.names(in: opened.place.data.appendingPathComponent("envelopes")) {
      note("envelope/\(name)") {
        let envelope = try Envelope(decoding: Data(contentsOf: opened.place.envelope(name)))
        let secret = try opened.envelopeKeys.open(envelope, context: Data(name.utf8))
        return String(copying: secret) ?? ""
      }
    }
  }

  // MARK: Databases and vaults

  private mutating func readDatabase(_ name: String, _ opened: Opened) {
    guard FileManager.default.fileExists(atPath: opened.place.database(name).path) else { return }
    do {
      let rows = try opened.database(name) { queue in
        try queue.read { db in
          try Row.fetchAll(db, sql: "SELECT id, text FROM entry").map {
            (id: $0["id"] as Int64, text: $0["text"] as String)
          }
        }
      }
      for row in rows { values["row/\(name)/\(row.id)"] = row.text }
    } catch {
      values["database/\(name)"] = "!\(Answer.code(error)) \(error)"
    }
  }

  private mutating func readVault(_ opened: Opened) {
    guard FileManager.default.fileExists(atPath: opened.place.vault.path) else { return }
    do {
      let vault = try opened.vault
      for name in try vault.accounts {
        let account = try vault.logIn(name)
        for value in try account.contents where value.name.hasPrefix("life") {
          note("value/\(name)/\(value.name)") {
            Self.digest(try account.value(in: VaultRecord<Data>(value.name, .document)))
          }
        }
        for (key, value) in try account.preferences.dictionaryRepresentation() {
          values["preference/\(name)/\(key)"] = "\(value)"
        }
      }
    } catch {
      values["vault"] = "!\(Answer.code(error)) \(error)"
    }
  }
}
