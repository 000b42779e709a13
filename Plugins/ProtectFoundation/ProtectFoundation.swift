import Foundation
import PackagePlugin

/// Lets Foundation's calls in a target protect files, with `import Foundation` unchanged.
///
/// The plugin adds one file to the target. Declarations of a module take precedence over those that it imports, so
/// the calls of every file in the target are those of `AtRestFoundation`.
@main struct ProtectFoundation: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = context.pluginWorkDirectoryURL
    let text = folder.appending(path: "FoundationCalls.txt")
    // The file is written only if it changed: what is older than its product is not built again.
    if (try? String(contentsOf: text, encoding: .utf8)) != calls {
      try calls.write(to: text, atomically: true, encoding: .utf8)
    }
    let source = folder.appending(path: "FoundationCalls.swift")
    return [
      .buildCommand(
        displayName: "Add Foundation's calls to \(target.name)",
        executable: URL(fileURLWithPath: "/bin/cp"), arguments: [text.path, source.path],
        inputFiles: [text], outputFiles: [source])
    ]
  }
}
