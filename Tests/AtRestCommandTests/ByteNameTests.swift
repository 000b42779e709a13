import Foundation
import Testing

/// Names of files are bytes: those that are not UTF-8 work like all others.
@Suite struct ByteNameTests {
  /// Runs a script in which `atrest` is the command, and which ends with the first failure.
  private func shell(_ run: CommandRun, _ script: String) throws -> CommandRun.Result {
    let function = "atrest() { \(CommandRun.quoted(try CommandRun.binary().path)) \"$@\"; }; "
    return try run.execute("/bin/bash", ["-e", "-o", "pipefail", "-c", function + script])
  }

  /// A name that is not UTF-8, for the shell.
  private static let name = "$'caf\\351 \\377.txt'"

  private func expect(_ script: String, _ text: String) throws {
    let run = try CommandRun.withStore()
    let done = try shell(run, "n=\(Self.name); printf secret > \"$n\"; \(script)")
    #expect(done.status == 0 && done.text == text, "\(done.text) \(done.notes)")
  }

  @Test func aFileIsProtectedAndBack() throws {
    try expect(
      """
      atrest protect --remove "$n"; test ! -e "$n"; atrest inspect "$n".protected > i
      atrest rewrap --class none "$n".protected; atrest unprotect --no-unlock --remove "$n".protected
      test ! -e "$n".protected; cat "$n"; atrest protect -o "$n"2 "$n"; atrest unprotect -o - "$n"2
      """, "secretsecret")
  }

  @Test func aFolderIsProtectedAndBack() throws {
    try expect(
      """
      mkdir -p d/"$n"/sub; printf one > d/"$n"/"$n"; printf two > d/"$n"/sub/plain
      printf three > "d/$(printf 'x\\303\\251')"
      atrest protect --remove d; test -z "$(find d -type f ! -name '*.protected')"
      test "$(find d -type f | wc -l)" = 3
      atrest unprotect --remove d; cat d/"$n"/"$n" d/"$n"/sub/plain d/x*
      """, "onetwothree")
  }

  /// The present folder may have such a name too.
  @Test func theWorkingFolderMayHaveOne() throws {
    try expect(
      """
      mkdir "d$n"; cd "d$n"; printf here > a; atrest protect a; rm a; atrest unprotect a.protected; cat a
      atrest stamp a > /dev/null; atrest check a > /dev/null; atrest database shell --new --raw-key-file \
      <(printf '%064d' 1) a.db 'CREATE TABLE t(a)'; test -s a.db
      """, "here")
  }

  /// A name may begin with a character that combines with the slash before it.
  @Test func aNameMayBeginWithACombiningCharacter() throws {
    try expect(
      """
      m=$'\\314\\201x'; mkdir d; printf one > d/"$m"; printf two > "$m"
      atrest protect --remove d/"$m" "$m"; atrest unprotect --remove d/"$m".protected "$m".protected
      cat d/"$m" "$m"; atrest protect --remove d; atrest unprotect -o - d/"$m".protected
      """, "onetwoone")
  }

  @Test func stampsAndSignatures() throws {
    try expect(
      """
      atrest stamp "$n" > /dev/null; test -e "$n".stamp; atrest check "$n" > /dev/null; mkdir d; cp "$n" d/
      atrest stamp d > /dev/null; atrest check d > /dev/null
      atrest keygen --tag k > k"$n"; atrest sign --tag k "$n" > s"$n"
      atrest verify --public-key-file k"$n" --signature-file s"$n" "$n"
      """, "valid\n")
  }

  @Test func keysPassphrasesAndBackups() throws {
    try expect(
      """
      printf 'four purple rhinos cooking' > p"$n"
      atrest protect --passphrase-file p"$n" -o "$n"1 "$n"
      atrest unprotect --passphrase-file p"$n" -o - "$n"1
      atrest keygen --tag eva --algorithm x25519 --extractable > r"$n"
      atrest get --tag eva > i"$n"; atrest protect --recipient r"$n" -o "$n"2 "$n"
      atrest unprotect --identity i"$n" -o - "$n"2
      atrest add --service s --account a --secret-file "$n"
      atrest backup --passphrase-file p"$n" b"$n"; atrest delete --service s --account a
      atrest delete --tag eva
      atrest restore --passphrase-file p"$n" b"$n"; atrest get --service s --account a
      atrest passcode set --passcode-file p"$n"; atrest list --passcode-file p"$n" > l
      """, "secretsecretsecret")
  }

  @Test func databases() throws {
    try expect(
      """
      printf '%064d' 1 > k"$n"
      atrest database shell --new --raw-key-file k"$n" a"$n".db 'CREATE TABLE t AS SELECT 7 AS a'
      test -s a"$n".db
      atrest database export --raw-key-file k"$n" a"$n".db plain"$n".db; test -s plain"$n".db
      atrest database import --raw-key-file k"$n" plain"$n".db b"$n".db
      atrest database verify --raw-key-file k"$n" b"$n".db > v
      atrest database shell --raw-key-file k"$n" b"$n".db 'SELECT a FROM t'
      atrest database import --item i plain"$n".db c"$n".db
      atrest database rekey --item i c"$n".db
      atrest database shell --item i c"$n".db 'PRAGMA journal_mode=wal; SELECT a FROM t'
      """, "7\nwal\n7\n")
  }

  @Test func aStoreAndItsDevice() throws {
    try expect(
      """
      export ATREST_STORE="$PWD/s$n/store" ATREST_DEVICE="$PWD/d$n"
      atrest init --no-passcode; printf x | atrest add --service s --account a
      test -e "$PWD/s$n/store/keychain.db"; test -d "$ATREST_DEVICE"; atrest status > st
      atrest get --store "s$n/store" --device "d$n" --service s --account a
      """, "x")
  }

  @Test func aProgramReceivesItsArgumentsAsTheyAre() throws {
    try expect("FILE=\"$n\" atrest run -- sh -c 'cat \"$0\" \"$FILE\"' \"$n\"", "secretsecret")
  }

  /// In the terminal such a byte is escaped, and in JSON it has a form of its own.
  @Test func namesAreShownAndWritten() throws {
    let run = try CommandRun.withStore()
    let done = try shell(run, "n=\(Self.name); printf x > \"$n\"; atrest protect --json \"$n\"")
    #expect(done.text.contains(#""source":"caf\udbff\udfe9 \udbff\udfff.txt""#), "\(done.text)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: done.data) as? [String: Any])
    #expect(object["source"] as? String == "caf\u{10ffe9} \u{10ffff}.txt")
    let refused = try shell(run, "atrest protect \(Self.name)")
    #expect(refused.status != 0 && refused.notes.contains(#"caf\xE9 \xFF.txt.protected already"#))
    let missing = try shell(run, "atrest protect $'no\\351'")
    #expect(missing.status == 3 && missing.notes.contains(#"/no\xE9."#))
  }

  /// Control: a name that has the form's character itself is another file.
  @Test func theFormIsNoAlias() throws {
    let run = try CommandRun.withStore()
    let done = try shell(
      run, "printf byte > $'caf\\351'; atrest protect $'caf\\364\\217\\277\\251'")
    #expect(done.status == 3)
  }
}
