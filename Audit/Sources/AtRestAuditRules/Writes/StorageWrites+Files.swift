import AtRestAuditAnalysis
import AtRestAuditModel

extension StorageWrites {
  /// `data.write(to:)`, `createFile(atPath:)`, `archiveRootObject(_:toFile:)`, copies of files.
  static func addFiles(to set: inout CheckSet) {
    set.onCall([
      "write", "writeToFile", "writeToURL", "createFile", "createFileAtPath", "archiveRootObject",
      "copyItem", "copyItemAtPath", "copyItemAtURL", "moveItem",
    ]) { call, scope, pass in
      let place: Expression? =
        switch call.name {
        case "createFile", "createFileAtPath", "writeToFile", "writeToURL": call[0]
        default: call["to"] ?? call["toFile"] ?? call["atPath"] ?? call["toPath"] ?? call["toURL"]
        }
      record(place, by: call, scope, pass)
    }
    set.onCall(["FileHandle", "fileHandleForWritingAtPath"]) { call, scope, pass in
      record(
        call["forWritingTo"] ?? call["forWritingAtPath"]
          ?? (call.name.hasPrefix("file") ? call[0] : nil), by: call, scope, pass)
    }
  }

  private static func record(
    _ place: Expression?, by call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    // A name without an extension can be that of a folder.
    guard let place, let name = FileChecks.fileName(place, scope, pass), name.contains(".") else {
      return
    }
    pass.record(.file(name: name), at: call.expression, in: scope)
  }
}
