"""Which language an interface shows, by words that hardly any program does without."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from proctor.observations.tree import Tree

WORDS = {
    "en": "file edit view help open save cancel close search settings preferences window insert go print undo "
    "redo copy paste cut select new about quit size home downloads pictures music tools bookmarks",
    "de": "datei bearbeiten ansicht hilfe öffnen speichern abbrechen schließen suchen einstellungen fenster einfügen "
    "gehe drucken rückgängig wiederholen kopieren ausschneiden auswählen neu optionen beenden größe dokumente bilder "
    "musik extras lesezeichen",
    "fr": "fichier édition affichage aide ouvrir enregistrer annuler fermer rechercher préférences paramètres fenêtre "
    "insérer insertion imprimer rétablir copier coller couper sélectionner nouveau quitter taille nom images musique "
    "outils signets",
    "es": "archivo editar ver ayuda abrir guardar cancelar cerrar buscar preferencias configuración ventana insertar "
    "imprimir deshacer rehacer copiar pegar cortar seleccionar nuevo opciones salir tamaño nombre documentos imágenes "
    "música herramientas marcadores",
    "ja": "ファイル 編集 表示 ヘルプ 開く 保存 キャンセル 閉じる 検索 設定 ウィンドウ 挿入 印刷 元に戻す やり直す "
    "コピー 貼り付け 切り取り 選択 新規 オプション 終了 サイズ 名前 画像 ツール ブックマーク",
}
"""Words of menus and buttons; one that two languages share says nothing, and is in no list."""
FEWEST = 2
"""So many different words must be there."""
_MENU_ROLES = frozenset(
    {"menu", "menu item", "check menu item", "radio menu item", "push button", "button", "page tab"}
)
_LEADING = re.compile(r"[\w]+")
_OF = {word: language for language, words in WORDS.items() for word in words.split()}


def shown_language(tree: Tree, app: str) -> str:
    """Return the language that the menus and buttons of a program show; empty where they do not tell."""
    names = (node.name for node in tree.nodes if node.app == app and node.showing and node.role in _MENU_ROLES)
    return language_of(names)


def language_of(names: Iterable[str]) -> str:
    """Return the language of names, as most of the words that are known say; empty where none leads."""
    known: set[tuple[str, str]] = set()
    for name in names:
        text = name.strip().lower()
        found = {word for word in (text.rstrip(".…"), *_LEADING.findall(text)) if word in _OF}
        # Japanese puts the letter of the key behind the word, without a blank: ファイル(F).
        found |= {word for word in WORDS["ja"].split() if text.startswith(word)}
        known |= {(_OF[word], word) for word in found}
    counted = Counter(language for language, _ in known).most_common(2)
    if not counted or counted[0][1] < FEWEST:
        return ""
    return "" if len(counted) > 1 and counted[1][1] * 2 > counted[0][1] else counted[0][0]
