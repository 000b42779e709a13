import AtRestKeychain
import Foundation

/// An item in the output of `atrest list`: everything except its secret.
struct ItemLine: Encodable {
  let kind: String
  let service: String?
  let account: String?
  let server: String?
  let port: String?
  let path: String?
  let networkProtocol: String?
  let tag: String?
  let label: String?
  let comment: String?
  let description: String?
  /// The attributes that a client of the Secret Service gave, or nil if there are none.
  let attributes: [String: String]?
  let group: String
  let accessible: String
  let access: String?
  let applicationPassword: Bool
  let hardware: Bool
  let synchronizable: Bool
  let created: Date?
  let modified: Date?
  let reference: Data

  private enum CodingKeys: String, CodingKey {
    case kind = "class"
    case networkProtocol = "protocol"
    case service, account, server, port, path, tag, label, comment, description, attributes, group
    case accessible, access, applicationPassword, hardware, synchronizable, created, modified,
      reference
  }

  init(_ item: KeychainItem) {
    let attributes = item.attributes
    func text(_ attribute: ItemAttribute) -> String? { attributes[attribute]?.description }
    kind = item.itemClass.name
    service = text(.service)
    account = text(.account)
    server = text(.server)
    port = text(.port)
    path = text(.path)
    if case .number(let code)? = attributes[.networkProtocol] {
      networkProtocol = NetworkProtocol.name(of: code)
    } else {
      networkProtocol = nil
    }
    tag = text(.applicationTag)
    label = text(.label)
    comment = text(.comment)
    description = text(.itemDescription)
    let custom = attributes.reduce(into: [String: String]()) { custom, attribute in
      if let name = attribute.key.customName { custom[name] = attribute.value.description }
    }
    self.attributes = custom.isEmpty ? nil : custom
    group = item.group
    accessible = item.protection.accessibility.name
    access = AccessName(item.protection.accessControl?.requirement)?.rawValue
    applicationPassword = item.protection.accessControl?.applicationPassword ?? false
    hardware = item.isHardwareKey
    synchronizable = item.primaryKey.isSynchronizable
    created = attributes.creationDate
    modified = attributes.modificationDate
    reference = item.reference.data
  }

  static let headings = ["CLASS", "SERVICE", "ACCOUNT", "LABEL", "GROUP", "ACCESSIBLE", "MODIFIED"]

  /// The cells of the table.
  var cells: [String] {
    [
      hardware ? "hardware \(kind)" : kind, service ?? server ?? tag ?? "", account ?? "",
      label ?? "", group, accessible,
      modified?.formatted(.iso8601) ?? "",
    ].map { Output.printable($0) }
  }
}

extension ItemClass {
  /// The class's name on the command line.
  var name: String {
    switch self {
    case .genericPassword: "generic"
    case .internetPassword: "internet"
    case .key: "key"
    case .certificate: "certificate"
    }
  }
}
