import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

struct SealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seal",
    abstract: "Stamp files and folders, which stay readable, to detect changes.",
    discussion: """
      Writes FILE.stamp beside a file, and FOLDER.manifest beside a folder: every entry of its tree, \
      under one stamp. With --append the stamp is written at the end of the file. Prints what was \
      written.

      A stamp is made with a key of the store, which is created when first needed, or with --tag \
      by a key pair: anyone who has its public key can check, without a store.

      EXAMPLES
        atrest stamp report.pdf && atrest check report.pdf
        atrest stamp --append photo.jpeg
        atrest stamp --tag release dist
        tar c src | atrest stamp --tag release - > src.stamp
      """)

  @OptionGroup(title: "Key") var key: SealKeyOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "The signature scheme. (default: that of the algorithm)")
  var scheme: SignatureScheme?

  @Flag(help: "Write the stamp at the end of the file, replacing an existing one.")
  var append = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file for the stamp, - for standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace an existing stamp file; with --append, remove it.")
  var force = false

  @Flag(help: "Print JSON.")
  var json = false

  @Argument(
    help: "The files and folders to stamp, - for standard input.", completion: .file())
  var files: [String]

  /// The result for one file or folder, in the form of the JSON.
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
      throw ValidationError("--output requires exactly one file.")
    }
    guard !append || (output == nil && !files.contains("-")) else {
      throw ValidationError("--append writes into a file; omit --output and -.")
    }
    guard !files.contains("-") || files.count == 1 else {
      throw ValidationError("Standard input must be the only argument.")
    }
    guard scheme == nil || key.tag != nil else {
      throw ValidationError("--scheme requires --tag.")
    }
    guard !json || !writesToStandardOutput else {
      throw ValidationError("Use --output: JSON and stamp cannot both go to standard output.")
    }
    let inputs = [unlock.passcodeFile, application.applicationPasswordFile] + files
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read only once.")
    }
  }

  private var writesToStandardOutput: Bool {
    output == "-" || (output == nil && files == ["-"])
  }

  func run() throws {
    // This is checked before a key is created or a passcode requested.
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
        "\(path.text) is a folder, to which nothing can be appended.", remedy: "Omit --append.")
    }
    guard !writesToStandardOutput else {
      guard !Output.isTerminal(STDOUT_FILENO) else {
        throw AtRestError.invalid(
          "A stamp is binary; not writing it to a terminal.",
          remedy: "Use --output, or redirect standard output to a file.")
      }
      return
    }
    // This also applies with --append: a stamp beside the file is checked first, and would no
    // longer match.
    let seal = output ?? path.sealPath
    guard force || !FileManager.default.fileExists(atPath: seal) else {
      throw AtRestError(
        .duplicate, "\(seal) already exists.",
        remedy: "Replace it with --force, or choose another file with --output.")
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
    // Everyone may read it to check, except as the user's mask forbids.
    let file = try NewFile(
      at: path, existing: force ? .replaced : .refused, permissions: .masked(0o644))
    try file.write(data)
    try file.commit()
  }
}
