/// The kind of a file, determined by its name.
package enum FileKind: String, CaseIterable, Sendable {
  case swift
  case objectiveC
  /// A xib or storyboard.
  case interface
  /// A property list under any of its names: plist, entitlements, xcprivacy, stringsdict.
  case propertyList
  case strings
  case buildSettings
  /// A `project.pbxproj`.
  case xcodeProject
  /// The `contents` of an xcdatamodel.
  case dataModel
  /// A file in which a package manager records resolved versions.
  case lockFile
  /// A key, a certificate with its key, or a key store.
  case keyFile
  case json
  /// A page of HTML.
  case page

  /// Creates the kind of the file at a path, or returns nil if files of this kind are not read.
  package init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    if let kind = Self.names[name] {
      self = kind
      return
    }
    if name == "contents" {
      guard path.hasSuffix(".xcdatamodel/contents") else { return nil }
      self = .dataModel
      return
    }
    guard let dot = name.lastIndex(of: "."),
      let kind = Self.extensions[name[name.index(after: dot)...].lowercased()]
    else { return nil }
    self = kind
  }

  private static let names: [String: FileKind] = [
    "Podfile.lock": .lockFile, "Package.resolved": .lockFile, "Cartfile.resolved": .lockFile,
    "id_rsa": .keyFile, "id_dsa": .keyFile, "id_ecdsa": .keyFile, "id_ed25519": .keyFile,
  ]

  private static let extensions: [String: FileKind] = [
    "swift": .swift,
    "m": .objectiveC, "mm": .objectiveC, "h": .objectiveC, "pch": .objectiveC,
    "xib": .interface, "storyboard": .interface,
    "plist": .propertyList, "entitlements": .propertyList, "xcprivacy": .propertyList,
    "stringsdict": .propertyList,
    "strings": .strings,
    "xcconfig": .buildSettings,
    "pbxproj": .xcodeProject,
    "p12": .keyFile, "pfx": .keyFile, "p8": .keyFile, "pem": .keyFile, "key": .keyFile,
    "ppk": .keyFile, "jks": .keyFile, "keystore": .keyFile, "bks": .keyFile,
    "json": .json, "xcstrings": .json,
    "html": .page, "htm": .page, "xhtml": .page,
  ]

  /// True if the file is code, which has its own size limit and is counted by lines.
  package var isCode: Bool { self == .swift || self == .objectiveC }
}
