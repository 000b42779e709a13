import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

struct SealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seal",
    abstract: "Seal files and folders that stay readable, so that a change shows.",
    discussion: """
      Writes FILE.seal beside a file, and FOLDER.manifest beside a folder: every entry of its tree, \
      under one seal. With --append the seal goes into the file, at its end. Prints what was written.

      Sealed is with a key of the store, which is made when first needed; or, with --tag, with a \
      key pair: whoever has its public key can check, without a store.

      EXAMPLES
        atrest seal report.pdf && atrest check report.pdf
        atrest seal --append photo.jpeg
        atrest seal --tag release dist
        tar c src | atrest seal --tag release - > src.seal
      """)

  @OptionGroup(title: "Key") var key: SealKeyOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "How to hash and sign. (default: the algorithm's own)")
  var scheme: SignatureScheme?

  @Flag(help: "Put the seal at the end of the file, in place of one that is there.")
  var append = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Where the seal is written, - for standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace a seal that is there; with --append, remove it.")
  var force = false

  @Flag(help: "Print JSON.")
  var json = false

  @Argument(
    help: "The files and folders to seal, - for standard input.", completion: .file())
  var files: [String]

  /// What was sealed, in the form of the JSON.
  private struct Line: Encodable {
    let file: String
    let seal: String
    let method: String
    var size: UInt64?
    var sha256: String?
    var entries: Int?
  }

  func validate() throws {
    guard output == nil || files.count == 1 else {
      throw ValidationError("--output is for one file.")
    }
    guard !append || (output == nil && !files.contains("-")) else {
      throw ValidationError("--append writes into a file: leave out --output and -.")
    }
    guard !files.contains("-") || files.count == 1 else {
      throw ValidationError("Standard input is sealed alone.")
    }
    guard scheme == nil || key.tag != nil else {
      throw ValidationError("--scheme goes with --tag.")
    }
    guard !json || !writesToStandardOutput else {
      throw ValidationError("Give --output: JSON and seal cannot both go to standard output.")
    }
    let inputs = [unlock.passcodeFile, application.applicationPasswordFile] + files
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read once only.")
    }
  }

  private var writesToStandardOutput: Bool {
    output == "-" || (output == nil && files == ["-"])
  }

  func run() throws {
    // Looked at before a key is made or a passcode asked for.
    let paths = try files.map { try SealedPath($0) }
    for path in paths { try checkOutput(of: path) }
    let sealer = try key.sealer(
      unlock.open(), scheme: scheme, context: application.context("Seal"))
    var lines: [Line] = []
    for path in paths {
      let line = try SealProgress.shown(path.text) { try seal(path, with: sealer, $0) }
      lines.append(line)
      if !json && !writesToStandardOutput {
        Output.write(Output.printable(line.seal) + "\n")
      }
    }
    if json { try Output.writeJSON(["sealed": lines]) }
  }

  private func checkOutput(of path: SealedPath) throws {
    guard !append || path.kind == .file else {
      throw AtRestError.invalid(
        "\(path.text) is a folder, which has no end.", remedy: "Leave out --append.")
    }
    guard !writesToStandardOutput else {
      guard !Output.isTerminal(STDOUT_FILENO) else {
        throw AtRestError.invalid(
          "A seal is bytes that are not for a terminal.",
          remedy: "Give --output, or lead standard output to a file.")
      }
      return
    }
    // Also with --append: a seal beside the file is looked at first, and would hold no longer.
    let seal = output ?? path.sealPath
    guard force || !FileManager.default.fileExists(atPath: seal) else {
      throw AtRestError(
        .duplicate, "\(seal) already exists.",
        remedy: "Give --force to replace it, or --output.")
    }
  }

  private func seal(
    _ path: SealedPath, with sealer: FileSealer, _ progress: Progress
  ) throws -> Line {
    let destination = output ?? path.sealPath
    if path.kind == .folder {
      let manifest = try sealer.manifest(
        of: path.url, leavingOut: [URL(fileURLWithPath: destination)], progress: progress)
      try write(manifest.encoded, to: destination)
      return Line(
        file: path.text, seal: destination, method: manifest.seal.method.description,
        entries: manifest.entries.count)
    }
    let seal: FileSeal
    if append {
      seal = try sealer.appendSeal(to: path.url, progress: progress)
      if unlink(path.sealPath) != 0 && errno != ENOENT {
        throw SystemCall.error("remove", path.sealPath)
      }
    } else {
      seal =
        path.kind == .input
        ? try sealer.seal(contentsOf: .standardInput)
        : try sealer.seal(path.url, progress: progress)
      try write(seal.encoded, to: destination)
    }
    return Line(
      file: path.text, seal: append ? path.text : destination,
      method: seal.method.description, size: seal.contentSize,
      sha256: seal.contentDigest.map { String(format: "%02x", $0) }.joined())
  }

  private func write(_ data: Data, to path: String) throws {
    guard !writesToStandardOutput else { return Output.write(data) }
    // For everyone to check with, less what the user's mask takes away.
    let file = try NewFile(
      at: path, existing: force ? .replaced : .refused, permissions: .masked(0o644))
    try file.write(data)
    try file.commit()
  }
}
