import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

struct StampCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stamp",
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

  @OptionGroup(title: "Key") var key: StampKeyOptions
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
    let stamp: String
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
    // The paths are checked before a key is created or a passcode requested.
    let paths = try files.map { try StampedPath($0) }
    for path in paths { try checkOutput(of: path) }
    let stamper = try key.stamper(
      unlock.open(directly: true), scheme: scheme, context: application.context("Stamp"))
    var lines: [Line] = []
    for path in paths {
      let line = try StampProgress.shown(path.text) { try stamp(path, with: stamper, $0) }
      lines.append(line)
      if !json && !writesToStandardOutput {
        Output.write(Output.printable(line.stamp) + "\n")
      }
    }
    if json { try Output.writeJSON(["stamped": lines]) }
  }

  private func checkOutput(of path: StampedPath) throws {
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
    // This also applies with --append: `atrest check` prefers a stamp beside the file, and that
    // stamp would no longer match.
    let stamp = output ?? path.stampPath
    guard force || FileStatus.at(stamp) == nil else {
      throw AtRestError(
        .duplicate, "\(stamp) already exists.",
        remedy: "Replace it with --force, or choose another file with --output.")
    }
  }

  private func stamp(
    _ path: StampedPath, with stamper: FileStamper, _ progress: Progress
  ) throws -> Line {
    let destination = output ?? path.stampPath
    if path.kind == .folder {
      let manifest = try stamper.manifest(
        of: path.url, leavingOut: [SystemPath.url(destination)], progress: progress)
      try write(manifest.encoded, to: destination)
      return Line(
        file: path.text, stamp: destination, method: manifest.stamp.method.description,
        entries: manifest.entries.count)
    }
    let stamp: FileStamp
    if append {
      stamp = try stamper.appendStamp(to: path.url, progress: progress)
      if !SystemPath.remove(path.stampPath) && errno != ENOENT {
        throw SystemCall.error("remove", path.stampPath)
      }
    } else {
      stamp =
        path.kind == .input
        ? try stamper.stamp(contentsOf: .standardInput)
        : try stamper.stamp(path.url, progress: progress)
      try write(stamp.encoded, to: destination)
    }
    return Line(
      file: path.text, stamp: append ? path.text : destination,
      method: stamp.method.description, size: stamp.contentSize,
      sha256: stamp.contentDigest.hexadecimal)
  }

  private func write(_ data: Data, to path: String) throws {
    guard !writesToStandardOutput else { return Output.write(data) }
    // Everyone may read a stamp in order to check it, unless the user's umask forbids this.
    let file = try NewFile(
      at: path, existing: force ? .replaced : .refused, permissions: .masked(0o644))
    try file.write(data)
    try file.commit()
  }
}
