report_sources += \
	src/page/compare.c \
	src/page/compare.h \
	src/page/doc.c \
	src/page/doc.h \
	src/page/doc_html.c \
	src/page/doc_md.c \
	src/page/doc_tex.c \
	src/page/environment.c \
	src/page/environment.h \
	src/page/report.c \
	src/page/report.h \
	src/page/results.c \
	src/page/results.h \
	src/page/section_depends.c \
	src/page/section_differences.c \
	src/page/section_environment.c \
	src/page/section_figures.c \
	src/page/section_gains.c \
	src/page/section_legend.c \
	src/page/section_summary.c \
	src/page/section_table.c \
	src/page/sections.h \
	src/page/table_files.c \
	src/page/table_files.h \
	src/page/table_tsv.c \
	src/page/table_tsv.h

# The style and the script of the report, as C strings: the page is one file without outside references.
BUILT_SOURCES += src/page/report_files.h
CLEANFILES += src/page/report_files.h
EXTRA_DIST += src/page/report.css src/page/report.js
src/page/report_files.h: src/page/report.css src/page/report.js src/page/local.mk
	$(AM_V_GEN)$(MKDIR_P) src/page; for kind in css js; do echo "static const char report_$$kind[] ="; \
		sed 's/[\\"]/\\&/g; s/.*/    "&\\n"/' $(srcdir)/src/page/report.$$kind; echo '    ;'; done >$@.new && mv $@.new $@
src/page/report.$(OBJEXT): src/page/report_files.h
