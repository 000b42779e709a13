import Foundation

/// What `embedded.mobileprovision` allows: a property list within a signed message of CMS.
///
/// The signature is not checked; a device did that when the app was installed.
package struct ProvisioningProfile: Sendable {
  /// A larger file is none.
  package static let sizeLimit = 16 << 20

  package let name: String?
  package let teamName: String?
  package let teamIdentifiers: [String]
  package let created: Date?
  package let expires: Date?
  /// How many devices it names; nothing if it names none, as those of the store.
  package let deviceCount: Int?
  /// Whether it holds for every device, as those of enterprises.
  package let isForAllDevices: Bool
  package let entitlements: PropertyList.Node?
  /// All that it holds.
  package let propertyList: PropertyList

  /// - Parameter path: The file's name in what is left out.
  /// - Throws: ``FormatError`` if it is no signed message that holds a property list, or cannot be read.
  package init(_ source: ByteSource, path: String) throws(FormatError) {
    guard source.count <= Self.sizeLimit else {
      throw FormatError("A profile is no larger than \(Self.sizeLimit) bytes.")
    }
    var message = DERContent(try source.read(0..<source.count))
    guard let content = message.content() else {
      throw FormatError("This is no signed message with a property list in it.", offset: 0)
    }
    propertyList = PropertyList.read(Data(content), path: path)
    let root = propertyList.root
    name = root?["Name"]?.string
    teamName = root?["TeamName"]?.string
    teamIdentifiers = root?["TeamIdentifier"]?.strings ?? []
    created = Self.date(root?["CreationDate"])
    expires = Self.date(root?["ExpirationDate"])
    deviceCount = root?["ProvisionedDevices"]?.array?.count
    isForAllDevices = root?["ProvisionsAllDevices"]?.isTrue ?? false
    entitlements = root?["Entitlements"]
  }

  private static func date(_ node: PropertyList.Node?) -> Date? {
    if case .date(let date)? = node?.value { date } else { nil }
  }
}
