import AtRestFormats
import Foundation

/// The attributes of a keychain item, by the short names under which keychains store them.
struct KeychainAttributes {
  private let values: [String: PropertyList.Value]

  init(_ values: [String: PropertyList.Value]) { self.values = values }

  /// Reads the attributes in a property list's dictionary. If a key occurs twice, the last one
  /// counts.
  init?(_ node: PropertyList.Node?) {
    guard let entries = node?.entries else { return nil }
    values = Dictionary(entries.map { ($0.key, $0.node.value) }) { $1 }
  }

  /// Sets the properties of an item for which there are attributes.
  func describe(_ item: inout KeychainItem) {
    item.account = text("acct") ?? item.account
    item.service = text("svce") ?? text("srvr") ?? item.service
    item.label = text("labl") ?? item.label
    item.group = text("agrp") ?? item.group
    item.created = date("cdat") ?? item.created
    item.modified = date("mdat") ?? item.modified
    item.accessibility =
      text("pdmn").flatMap(KeychainItem.Accessibility.init(named:)) ?? item.accessibility
    if case .data(let data)? = values["accc"] {
      item.accessControl = KeychainAccessControl.text(of: [UInt8](data)) ?? item.accessControl
    }
    switch values["sync"] {
    case .integer(let number): item.isSynchronizable = number != 0
    case .boolean(let flag): item.isSynchronizable = flag
    default: break
    }
  }

  /// The secret of the item.
  var secret: [UInt8]? {
    switch values["v_Data"] {
    case .data(let data): [UInt8](data)
    case .string(let text): Array(text.utf8)
    default: nil
    }
  }

  /// Reads text, or data that is text. Accounts and services may be either.
  private func text(_ key: String) -> String? {
    switch values[key] {
    case .string(let text) where !text.isEmpty: text
    case .data(let data) where !data.isEmpty:
      String(validating: data, as: UTF8.self).flatMap { text in
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 } ? text : nil
      }
    default: nil
    }
  }

  private func date(_ key: String) -> Date? {
    switch values[key] {
    case .date(let date): date
    case .real(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
    default: nil
    }
  }
}
