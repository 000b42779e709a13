import Foundation
import PackagePlugin

/// Runs the auditor on the package. Arguments are those of `atrest-audit`; without any, it scans the package.
@main struct AtRestAuditPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "atrest-audit").url
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments = arguments.isEmpty ? ["scan", "."] : arguments
    try process.run()
    process.waitUntilExit()
    // SwiftPM ends with this code too.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}
