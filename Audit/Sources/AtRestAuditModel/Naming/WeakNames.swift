/// Recognises names that are too common to show a secret alone: `token`, `roomKey`, `sessionId`.
package enum WeakNames {
  /// Last words that have other meanings in most programs.
  private static let words = set(
    """
    token tokens key keys session sessionid sessid id identifier code codes pin pins pass secret
    secrets credential credentials cred creds auth cookie cookies sid sin pan csc answer
    authorization bearer pw psw dek kek mail psk nif cpf dni bsn pesel
    """)

  /// Words before one of ``words`` that leave one meaning: `accessToken`, `privateKey`.
  private static let qualifiers = set(
    """
    access auth authentication authorization refresh bearer oauth login jwt api session id remember me
    private secret encryption
    decryption master symmetric signing hmac aes rsa ecc database realm sqlcipher vault recovery
    seed client app consumer webhook unlock pin card backup verification mfa totp admin db smtp ftp
    ssh wifi root proxy clave chave chiave spend user parental shared lock derived crypto cipher
    csrf xsrf push apns apn fcm
    """)

  /// Pairs of words of both lists that have other meanings all the same.
  private static let pairs = Set(
    """
    session id,session identifier,session key,session keys,id key,app id,client id,app key,card id,
    authentication code,authorization code,authentication session,authentication id,
    authorization id,api code,login id,api id,me id,session code,app code,client key,access code,card key,me key,
    refresh key,login key,app token,auth id,auth key,access key,session secret,app pin,id code,
    user id,user key,user code,user session,user identifier,user cookie,backup key,client token,pin key,seed key,auth session,app session,client session,login session
    """.split { $0 == "," || $0 == "\n" }.map(String.init))

  private static func set(_ text: String) -> Set<String> {
    Set(text.split { $0.isWhitespace }.map(String.init))
  }

  /// Returns true if a name shows a secret only together with something else.
  package static func contains(_ name: String) -> Bool {
    contains(words(of: name)) && OwnNames.current?.declares(name) != true
  }

  /// Returns true if a name shows a secret only together with something else, and its type does not
  /// say what it is: the `token` of a `Session`.
  package static func contains(_ name: String, of owner: String?) -> Bool {
    guard contains(name) else { return false }
    let all = words(of: name)
    guard let owner, let last = all.last,
      ["token", "secret", "pin", "pass", "auth"].contains(last),
      let holder = Words.split(owner).last
    else { return true }
    return !holders.contains(holder)
  }

  /// Last words of types whose tokens let somebody in.
  private static let holders = set(
    """
    auth authentication session login credential credentials oauth account user card keychain
    """)

  /// Returns true if the words of a name show a secret only together with something else.
  package static func contains(_ all: [String]) -> Bool {
    guard let last = all.last, words.contains(last) else { return false }
    guard all.count > 1 else { return true }
    let before = all[all.count - 2]
    // `pairingSecret` says whose secret it is.
    if last == "secret" { return before == "session" }
    return !qualifiers.contains(before) || pairs.contains("\(before) \(last)")
  }

  /// Words that describe the form of a value, or who holds it.
  private static let neutral = set(
    """
    value string str text txt array new old current temp tmp raw input entered base 64 hex encoded
    decoded field optional unwrapped confirm confirmation again repeat saved stored cached param
    parameter the my a an k get fetch load read m ns s default data bytes material hash
    """)

  /// Returns the words of a name that say what the value is, in lower case.
  package static func words(of name: String) -> [String] {
    // `loginDatakey` is the key of an entry for data.
    let all = Words.split(name).map { $0 == "datakey" ? "key" : $0 }
    let own = all.filter { !neutral.contains($0) && !$0.allSatisfy(\.isNumber) }
    return own.isEmpty ? all : own
  }
}
