import Foundation

/// The schemas that reports and settings are checked against.
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

  /// The published schema, which `Scripts/fetch-schemas.sh` brings.
  static let sarif = package.appendingPathComponent(".build/schemas/sarif-schema-2.1.0.json")

  static var hasSARIF: Bool {
    FileManager.default.fileExists(atPath: sarif.path)
      // Where all is installed that tests need, a schema that is missing is an error.
      || ProcessInfo.processInfo.environment["CI"] != nil
  }
}
