import Foundation

/// The schemas against which reports and settings are checked.
enum Schemas {
  /// The folder of this package.
  static let package: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder
  }()

  static func own(_ name: String) throws -> SchemaChecker {
    try SchemaChecker(Data(contentsOf: package.appendingPathComponent("Schema/\(name)")))
  }

  /// The published schema, which `Scripts/fetch-schemas.sh` downloads.
  static let sarif = package.appendingPathComponent(".build/schemas/sarif-schema-2.1.0.json")

  static var hasSARIF: Bool {
    FileManager.default.fileExists(atPath: sarif.path)
      // In CI, where everything that tests need is installed, a missing schema is an error.
      || ProcessInfo.processInfo.environment["CI"] != nil
  }
}
