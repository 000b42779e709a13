extension Vocabulary {
  /// Further words for passwords. They decide only whether a value may be stored, because in code
  /// they have other meanings too.
  static let passwordWords = set(
    """
    userpwd mypwd oldpwd newpwd dbpwd loginpwd rootpwd adminpwd dbpw loginpw rootpw userpw adminpw mypw
    oldpw newpw kontopin kartenpin handypin pincodes zugangsdaten anmeldedaten kennwörter credenciales
    credenziali identifiants hasła пароли пинкод şifreler parolam passordet lösenordet 패스워드
    비밀번호확인 パスワード確認 סיסמאות mậtkhẩu
    """)

  /// First words of names that are actions in code, but values in a store: `savePassword`.
  static let passwordActions = set(
    "save set store update change send request test number open enter type clear")

  /// Last words that say whose or which password it is, in languages in which they follow.
  static let passwordQualifiers = set(
    """
    nueva nuevo nova novo nouveau nouvelle nieuw nieuwe oud antigua antiga wifi usuario admina admin
    cartao cartão tarjeta segreta segreto
    """)

  /// Words before `pin` that make it a pin of another kind.
  static let pinContexts = set(
    """
    map drop led gpio output input data clock rolling bowling hair safety lapel chat note board message
    post tab app item title icon image color colour location annotation in is un re firewood clevis
    place marker
    """)

  /// Words before which a word of the vocabulary means something else.
  static let otherPasswordWords: [String: Set<String>] = {
    let post = set("delivery shipping address postal city area home billing of zip")
    let claims = set("webauthn verifiable allowed allow academic digital public issued education")
    return [
      "pincode": post, "credential": claims, "credentials": claims,
    ]
  }()

  /// Phrases of the vocabulary that are no passwords.
  static let harmlessPasswordPhrases = set(
    """
    secret message,secret note,secret word,country access code,pin code of city,\
    parola del giorno
    """, by: ",")
}
