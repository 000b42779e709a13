import ArgumentParser
import AtRestCrypto
import AtRestFiles
import Foundation

struct ProtectCommand: ParsableCommand {
  static let suffix = ".protected"
  /// The largest number of files from folders that are protected without a question.
  static let unaskedCount = 100

  static let configuration = CommandConfiguration(
    commandName: "protect",
    abstract: "Protect files with a class of the store, a passphrase, or public keys.",
    discussion: """
      Writes FILE.protected beside each FILE, with mode 0600. Folders are searched; symbolic links, \
      special files, protected files, stores of AtRest and other file systems in them are skipped, \
      and / is refused. The originals stay, unless --remove is given.

      If folders have more than \(ProtectCommand.unaskedCount) files, their number and size are shown, and \
      you are asked to type "protect". --yes skips the question, and is required without a terminal.

      CLASSES
        complete                             readable while the store is unlocked
        complete-unless-open                 readable while unlocked; can be written while locked
        complete-until-first-authentication  readable from the first unlock on (default)
        none                                 always readable, on this device

      With --class, a passphrase or public keys are a second way in, for the case that the store is \
      lost. They open the file whatever the class.

      EXAMPLES
        atrest protect report.pdf photos/
        atrest protect --class complete --remove diary.txt
        atrest protect --class complete --recipient recovery.pem diary.txt
        atrest protect --passphrase -o report.atrest report.pdf
        tar c src | atrest protect --recipient eva.pem - > src.tar.protected
      """)

  @OptionGroup(title: "Readers") var keys: NewFileKeyOptions
  @OptionGroup(title: "Readers") var passphrase: PassphraseOptions
  @OptionGroup(title: "Result") var result: FileOutputOptions
  @OptionGroup var confirmation: Confirmation
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Argument(help: "Files and folders, - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    try result.check(files)
    try StandardInput.check(
      [unlock.passcodeFile, passphrase.passphraseFile] + keys.recipient + files)
  }

  func run() throws {
    if !result.force, Output.isTerminal(STDOUT_FILENO),
      result.output == "-" || (result.output == nil && files.contains("-"))
    {
      throw AtRestError.invalid(
        "Protected output is binary; not writing it to a terminal.",
        remedy: "Choose a file with --output, or use --force.")
    }
    let failures = Failures()
    let walk = FileWalk(
      .plain, failures: failures, isQuiet: result.quiet,
      forbidden: [unlock.store.storeFolder, unlock.store.deviceFolder])
    let jobs = try result.jobs(walk.places(files), failures: failures) { $0 + Self.suffix }
    // Without a file to protect, no key is requested.
    guard !jobs.isEmpty else { return try failures.end() }
    try confirm(jobs)
    let keyring = FileKeyring(unlock, passphraseFile: nil, identity: nil)
    let (files, protection) = try keys.files(keyring, passphraseFile: passphrase.passphraseFile)
    try FileBatch(options: result, failures: failures).run(jobs) { jobs, progress in
      let isRefused = jobs.map { job in Result { try refuseProtected(job.source) } }
      var made = files.protect(
        zip(jobs, isRefused).filter { (try? $1.get()) != nil }.map { job, _ in
          .init(
            from: job.source.source,
            to: job.destination.destination(replacing: result.force, permissions: 0o600))
        }, protection: protection, progress: progress)[...]
      return isRefused.map { isRefused in isRefused.flatMap { made.removeFirst() } }
    }
    try failures.end()
  }

  /// Says what will happen to many files of folders, and asks whether to continue. Files that the user
  /// named one by one are not a surprise.
  private func confirm(_ jobs: [FileJob]) throws {
    let folders = files.filter { $0 != "-" && FileStatus.at($0)?.isFolder == true }
    guard jobs.count > Self.unaskedCount, !folders.isEmpty else { return }
    let size = jobs.reduce(UInt64(0)) { $0 + ($1.source.status?.size ?? 0) }
    let megabytes = String(format: "%.1f MB", Double(size) / 1e6)
    let originals = result.remove ? "and the originals are removed" : "and the originals stay"
    Output.note(
      "\(jobs.count) files with \(megabytes), most of them in "
        + "\(folders.joined(separator: ", ")), get a protected copy beside them, \(originals).")
    try confirmation.ask("All \(jobs.count) files are protected.", word: "protect")
  }

  private func refuseProtected(_ source: FilePlace) throws {
    guard let path = source.path, source.status?.isRegular == true,
      try source.isProtected
    else { return }
    throw AtRestError(
      .duplicate, "\(path) is already protected.",
      remedy: "To change its readers, use atrest rewrap.")
  }
}
