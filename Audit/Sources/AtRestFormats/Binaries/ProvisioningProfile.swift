import Foundation

/// A provisioning profile, `embedded.mobileprovision`: a property list in a signed CMS message.
///
/// The signature is not checked; a device did that when the app was installed.
package struct ProvisioningProfile: Sendable {
  /// The maximum size of a profile, in bytes. Larger files are refused.
  package static let sizeLimit = 16 << 20

  package let name: String?
  package let teamName: String?
  package let teamIdentifiers: [String]
  package let created: Date?
  package let expires: Date?
  /// The number of devices that the profile names, or nil if it names none, like profiles of the
  /// App Store.
  package let deviceCount: Int?
  /// True if the profile is valid for every device, like enterprise profiles.
  package let isForAllDevices: Bool
  package let entitlements: PropertyList.Node?
  /// The whole profile.
  package let propertyList: PropertyList

  /// Reads a profile.
  ///
  /// - Parameter path: The file's name in messages about parts that are skipped.
  /// - Throws: ``FormatError`` if the source is not a signed message that contains a property list,
  ///   or cannot be read.
  package init(_ source: ByteSource, path: String) throws(FormatError) {
    guard source.count <= Self.sizeLimit else {
      throw FormatError("The file is larger than \(Self.sizeLimit) bytes, the limit for a profile.")
    }
    var message = DERContent(try source.read(0..<source.count))
    guard let content = message.content() else {
      throw FormatError("This is not a signed message that contains a property list.", offset: 0)
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
